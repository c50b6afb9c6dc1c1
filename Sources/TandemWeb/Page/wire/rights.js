/** Methods with another right than their skill's. Source: `docs/protocol.md` 3.4.2. */
const OWN = new Map([
    ...['clearAll', 'clearHistory', 'updateSettings', 'sources', 'setSource'].map((name) => /** @type {[string, string]} */ ([`notification.${name}`, 'notification.all'])),
    ...['createDirectory', 'rename', 'move', 'delete', 'requestUpload', 'uploadChunk', 'completeUpload', 'uploadFiles'].map((name) => /** @type {[string, string]} */ ([`file.${name}`, 'file.write'])),
    ...['post', 'start', 'cancel', 'approve'].map((name) => /** @type {[string, string]} */ ([`threads.${name}`, 'threads.write'])),
    ['notification.act', 'notification.act'], ['power.sendWake', 'power.wake'], ['sysinfo.getLogs', 'system.logs'],
]);
const SKILLS = new Map([
    ['system', 'system.info'], ['sysinfo', 'system.info'], ['notification', 'notification'], ['clipboard', 'clipboard'], ['display', 'display'], ['screen', 'display'], ['file', 'file.read'],
    ['threads', 'threads.read'], ['terminal', 'terminal'], ['commands', 'commands'], ['power', 'power'],
]);

/** The right that opens a method, null for a method of none that is known. */
export function rightOf(method) { return OWN.get(method) ?? SKILLS.get(method.split('.')[0]) ?? null; }
