/**
 * Every address of the page, by role. `nav` puts a row into the navigation, with `isLate` behind “More” where it is narrow; `section` says under which of its rows another one belongs.
 * A screen's module is loaded when it is first shown.
 */
const settings = {
    path: '/settings', section: '/settings', nav: { icon: 'settings', label: 'nav.settings' },
    load: async () => (await import('./screens/settings.js')).settingsScreen,
};

export const ROUTES = {
    phone: [
        {
            path: '/computers', section: '/computers', nav: { icon: 'computer', label: 'nav.computers' },
            load: async () => (await import('./screens/computers.js')).computersScreen,
        },
        { path: '/computers/:id', section: '/computers', load: async () => (await import('./screens/computer.js')).computerScreen },
        { path: '/computers/:id/:tab', section: '/computers', load: async () => (await import('./screens/computer.js')).computerScreen },
        {
            path: '/notifications', section: '/notifications', nav: { icon: 'bell', label: 'nav.notifications' },
            load: async () => (await import('./screens/all-notifications.js')).allNotificationsScreen,
        },
        {
            path: '/threads', section: '/threads', nav: { icon: 'threads', label: 'nav.threads' },
            load: async () => (await import('./screens/all-threads.js')).allThreadsScreen,
        },
        { path: '/pair', section: '/computers', load: async () => (await import('./screens/pair-computer.js')).pairComputerScreen },
        { path: '/pair/:way', section: '/computers', load: async () => (await import('./screens/pair-computer.js')).pairComputerScreen },
        { path: '/queue', section: '/computers', load: async () => (await import('./screens/queue.js')).queueScreen },
        settings,
    ],
    desktop: [
        {
            path: '/overview', section: '/overview', nav: { icon: 'home', label: 'nav.overview' },
            load: async () => (await import('./screens/overview.js')).overviewScreen,
        },
        {
            path: '/threads', section: '/threads', nav: { icon: 'threads', label: 'nav.threads' },
            load: async () => (await import('./screens/threads.js')).threadsScreen,
        },
        {
            path: '/notifications', section: '/notifications', nav: { icon: 'bell', label: 'nav.notifications' },
            load: async () => (await import('./screens/notifications.js')).notificationsScreen,
        },
        {
            path: '/phones', section: '/phones', nav: { icon: 'phone', label: 'nav.phones' },
            load: async () => (await import('./screens/phones.js')).phonesScreen,
        },
        { path: '/phones/:id', section: '/phones', load: async () => (await import('./screens/phone.js')).phoneScreen },
        {
            path: '/pair', section: '/pair', nav: { icon: 'qr', label: 'nav.pair' },
            load: async () => (await import('./screens/pair-phone.js')).pairPhoneScreen,
        },
        { path: '/pair/:way', section: '/pair', load: async () => (await import('./screens/pair-phone.js')).pairPhoneScreen },
        {
            path: '/activity', section: '/activity', nav: { icon: 'activity', label: 'nav.activity', isLate: true },
            load: async () => (await import('./screens/activity.js')).activityScreen,
        },
        {
            path: '/audit', section: '/audit', nav: { icon: 'list', label: 'nav.audit', isLate: true },
            load: async () => (await import('./screens/audit.js')).auditScreen,
        },
        {
            path: '/settings', section: '/settings', nav: { icon: 'computer', label: 'nav.computer', isLate: true },
            load: async () => (await import('./screens/this-computer.js')).thisComputerScreen,
        },
    ],
    hub: [
        {
            path: '/load', section: '/load', nav: { icon: 'activity', label: 'nav.load' },
            load: async () => (await import('./screens/hub-load.js')).hubLoadScreen,
        },
        {
            path: '/peers', section: '/peers', nav: { icon: 'people', label: 'nav.peers' },
            load: async () => (await import('./screens/hub-peers.js')).hubPeersScreen,
        },
        {
            path: '/limits', section: '/limits', nav: { icon: 'filter', label: 'nav.limits' },
            load: async () => (await import('./screens/hub-limits.js')).hubLimitsScreen,
        },
        settings,
    ],
};

/** The tabs of a computer, in their order: those that carry a number stand where a narrow phone shows them, the last ones behind “More”. */
export const TABS = [
    { id: 'threads', icon: 'threads', label: 'tab.threads', right: 'threads.read', load: async () => (await import('./screens/tabs/threads.js')).threadsTab },
    {
        id: 'notifications', icon: 'bell', label: 'tab.notifications', right: 'notification',
        load: async () => (await import('./screens/tabs/notifications.js')).notificationsTab,
    },
    { id: 'terminal', icon: 'terminal', label: 'tab.terminal', right: 'terminal', load: async () => (await import('./screens/tabs/terminal.js')).terminalTab },
    { id: 'files', icon: 'folder', label: 'tab.files', right: 'file.read', load: async () => (await import('./screens/tabs/files.js')).filesTab },
    { id: 'clipboard', icon: 'clipboard', label: 'tab.clipboard', right: 'clipboard', load: async () => (await import('./screens/tabs/clipboard.js')).clipboardTab },
    { id: 'screen', icon: 'screen', label: 'tab.screen', right: 'display', load: async () => (await import('./screens/tabs/screen.js')).screenTab },
    { id: 'system', icon: 'system', label: 'tab.system', load: async () => (await import('./screens/tabs/system.js')).systemTab },
];

/** Where a role's page begins. */
export function homeOf(role) {
    return `#${ROUTES[role].find((entry) => entry.nav).path}`;
}
