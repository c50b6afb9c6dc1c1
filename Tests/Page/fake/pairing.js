import { installDesktop } from './pairing-desktop.js';
import { installPhone } from './pairing-phone.js';

/** @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario */
export function install(fake, scenario) {
    if (fake.role === 'phone') installPhone(fake, scenario);
    if (fake.role === 'desktop') installDesktop(fake, scenario);
}
