/** Which texts each role's page needs, beside `common`: each area is a file below `en/` and `zh/`. */
export const AREAS = {
    phone: ['pairing', 'computers', 'paired', 'files', 'terminal', 'clipboard', 'screen', 'system', 'queue', 'rights', 'settings'],
    desktop: ['pairing', 'computers', 'overview', 'hosting', 'rights', 'phones', 'activity', 'doctor', 'settings'],
    hub: ['hub', 'doctor', 'settings'],
};

/** Those that come with a screen, when it is first opened. */
export const LATER = { phone: ['threads', 'notifications'], desktop: ['threads', 'notifications', 'audit', 'checks'], hub: [] };
