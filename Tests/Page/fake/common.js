const keys = {
    phone: 'amber-falcon-drift-mellow-quartz-ripple', desktop: 'cobalt-heron-maple-quiet-summit-velvet', hub: 'birch-ember-lunar-otter-sable-willow',
};

/** What each role says of itself. */
export const selves = {
    phone: { role: 'phone', name: 'Ada’s phone', version: '0.9.0', id: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', fingerprint: keys.phone, platform: 'linux', assets: { terminal: true } },
    desktop: { role: 'desktop', name: 'studio-pc', version: '0.9.0', id: 'did:key:z6MkfrQeJx3nV6YbJrCzvQ4vYh7eWd3bXk3bqbLxYp1o3WmN', fingerprint: keys.desktop, platform: 'linux', assets: { terminal: true } },
    hub: { role: 'hub', name: 'hub.example.net', version: '0.9.0', id: '', fingerprint: '', platform: 'linux', assets: { terminal: true } },
};

/** A fixed moment, so that pictures stay the same. */
export const NOW = Date.now();
export const minutes = (count) => count * 60_000;
export const hours = (count) => count * 3_600_000;
export const days = (count) => count * 86_400_000;

/** @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario */
export function install(fake, scenario) {
    if (scenario.has('gone')) {
        fake.startState = 'gone';
        fake.self = null;
    }
    if (scenario.has('signed-out')) {
        fake.startState = 'signed-out';
        fake.self = null;
    }
    if (scenario.has('lost')) fake.startState = 'lost';
}
