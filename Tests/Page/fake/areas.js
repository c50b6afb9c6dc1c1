import { install as common } from './common.js';
import { install as pairing } from './pairing.js';
import { install as computers } from './computers.js';
import { install as files } from './files.js';
import { install as terminal } from './terminal.js';
import { install as clipboard } from './clipboard.js';
import { install as commands } from './commands.js';
import { install as chat } from './chat.js';
import { install as journal } from './journal.js';
import { install as screen } from './screen.js';
import { install as system } from './system.js';
import { install as queue } from './queue.js';
import { install as phones } from './phones.js';
import { install as audit } from './audit.js';
import { install as account } from './account.js';
import { install as activity } from './activity.js';
import { install as doctor } from './doctor.js';
import { install as moving } from './moving.js';
import { install as hub } from './hub.js';
import { install as people } from './people.js';
import { install as notifications } from './notifications.js';
import { install as threads } from './threads.js';
import { install as ports } from './ports.js';

/** Installs every area's answers. */
export function install(fake, scenario) {
    for (const area of [
        common, pairing, computers, files, terminal, clipboard, commands, screen, system, queue,
        phones, audit, activity, doctor, hub, threads, notifications, chat, journal, account, people, moving, ports,
    ]) area(fake, scenario);
}
