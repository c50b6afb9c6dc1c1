/** The features of a browser that is the phone itself. The journal and moving stay with programs, which the settings say. */
export { account } from './account/feature.js';
export { chat } from './chat/feature.js';
export { clipboard } from './clipboard/feature.js';
export { commands } from './commands/feature.js';
export { computers } from './computers/feature.js';
export { files } from './files/feature.js';
export { notifications } from './notifications/feature.js';
export { pairing } from './pairing/feature.js';
export { ports } from './ports/feature.js';
export { queue } from './queue/feature.js';
export { screen } from './screen/feature.js';
export { sealing } from './sealing/feature.js';
export { settings } from './settings/feature.js';
export { system } from './system/feature.js';
export { terminal } from './terminal/feature.js';
export { thisPhone } from './this-phone/feature.js';
export { threads } from './threads/feature.js';
