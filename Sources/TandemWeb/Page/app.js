import { openClient } from './client/local.js';
import * as all from './features/index.js';
import { showPage } from './frame.js';
import { Features } from './kit/feature.js';

showPage(openClient(), new Features(Object.values(all))).then(async () => (await import('./shell.js')).keepShell()).catch(() => {});
