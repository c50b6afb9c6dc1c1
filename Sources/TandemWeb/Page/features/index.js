/** The features of the page. A new one is a folder beside these, and a line here; where its places stand is said by their `order`. */
export { activity } from './activity/feature.js';
export { audit } from './audit/feature.js';
export { clipboard } from './clipboard/feature.js';
export { computers } from './computers/feature.js';
export { files } from './files/feature.js';
export { hub } from './hub/feature.js';
export { notifications } from './notifications/feature.js';
export { pairing } from './pairing/feature.js';
export { phones } from './phones/feature.js';
export { queue } from './queue/feature.js';
export { screen } from './screen/feature.js';
export { settings } from './settings/feature.js';
export { system } from './system/feature.js';
export { terminal } from './terminal/feature.js';
export { thisComputer } from './this-computer/feature.js';
export { threads } from './threads/feature.js';
