export const overview = {
    'overview.asks': 'Waiting for you',
    'overview.here': ({ count, all }, f) => `${f.number(count)} of ${f.plural(all, { one: '# phone', other: '# phones' })} connected`,
    'overview.nobodyHere': 'No phone is connected',
    'overview.allPhones': ({ count }, f) => `All ${f.number(count)} phones`,
    'overview.running': 'Running for phones',
    'overview.allRunning': ({ count }, f) => `All ${f.number(count)} things`,
    'overview.hubAway': 'The hub is not reached. Phones elsewhere do not find this computer.',
    'overview.serverAway': 'This computer’s own server does not run. Phones on this network do not find it.',
    'overview.look': 'Look',
};
