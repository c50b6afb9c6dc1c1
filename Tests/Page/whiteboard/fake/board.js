/** Strokes of one answer at most, as the program has it. */
const PAGE = 50;
const OTHER = 'did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z';

/**
 * The whiteboard of each computer. Scenarios: `empty-board`, `long-board`, `hostile`, `refused`, `away`, `slow-board`.
 *
 * @param {import('/fake/fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role === 'desktop') fake.answer('whiteboard.wipe', () => ({ epoch: '1' }));
    if (fake.role !== 'phone') return;
    let wipings = 0;
    const hostile = '\u202Egpj.exe<img src=x onerror="window.hacked=1">\u200B';
    const said = scenario.has('long-board') ? Array.from({ length: 120 }, (_, at) => `line ${at + 1}`)
        : scenario.has('empty-board') ? [] : scenario.has('hostile') ? [hostile] : ['Milk, bread', '会议改到周四下午三点'];
    let strokes = said.map((shape, at) => ({ number: at + 1, artist: at % 2 ? fake.self?.id : OTHER, shape }));
    const tell = (device, event, members) => {
        fake.emit('remote', { device, event, members });
        fake.emitRemote(device, event, members);
    };
    const add = (device, shape, artist, isTold = true) => {
        const stroke = { number: strokes.length + 1, artist, shape };
        strokes.push(stroke);
        if (isTold) tell(device, 'whiteboard.stroke', { ...stroke, epoch: `${wipings}` });
        return stroke;
    };
    const check = () => {
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('refused')) fake.fail('not-allowed', 'This phone may not use the whiteboard.', { right: 'whiteboard' });
    };
    fake.remote('whiteboard.strokes', ({ epoch, after = 0 }) => {
        check();
        if (scenario.has('slow-board')) return new Promise(() => {});
        const from = epoch === `${wipings}` ? after : 0;
        return { success: true, epoch: `${wipings}`, after: from, strokes: strokes.slice(from, from + PAGE), isEnd: strokes.length <= from + PAGE };
    });
    fake.remote('whiteboard.draw', ({ shape }, { id }) => {
        check();
        return add(id, shape, fake.self.id);
    });
    window.board = {
        scenario,
        draw: (device, shape, isTold) => add(device, shape, OTHER, isTold),
        wipe: (device) => {
            wipings += 1;
            strokes = [];
            tell(device, 'whiteboard.wiped', { epoch: `${wipings}` });
        },
    };
}
