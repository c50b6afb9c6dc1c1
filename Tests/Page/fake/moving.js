import { NOW, days } from './common.js';

const NEW_PHONE = 'Ada’s new phone';

/**
 * A phone whose data moved. Scenarios: `handing-over`, `retired`, `kept` (and not started again yet), `too-late` (it cannot be kept any more),
 * `hostile`; else one that never moved.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    const newPhone = scenario.has('hostile') ? '\u202Enohp<img src=x onerror="window.hacked=1">' : NEW_PHONE;
    const resting = { newPhone, isResting: true };
    const undoUntil = NOW + days(6);
    let standing = { state: 'active', isResting: false };
    if (scenario.has('handing-over')) standing = { state: 'handing-over', ...resting };
    if (scenario.has('retired')) standing = { state: 'retired', ...resting, undoUntil };
    if (scenario.has('kept')) standing = { state: 'kept', ...resting };
    fake.answer('phone.standing', () => standing);
    fake.answer('phone.keep', () => {
        if (scenario.has('too-late')) fake.fail('expired', `The time to undo the move is over, so ${newPhone} stays the phone that your computers know.`, { reason: 'phoneKeptTooLate', values: { newPhone } });
        if (standing.isResting) standing = { state: 'kept', ...resting };
        fake.emit('standing', {});
        return standing;
    });
}
