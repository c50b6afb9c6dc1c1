export const doctor = {
    'doctor.ownServer': 'Own server',
    'doctor.ownServerFor': 'For phones on this network',
    'doctor.hub': 'Hub',
    'doctor.hubFor': 'For phones elsewhere',
    'doctor.registered': 'Connected',
    'doctor.notReached': 'Not reached',
    'doctor.noReason': 'No reason is known; the log may say more.',
    'doctor.address': 'address',
};
