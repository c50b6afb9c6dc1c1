const [WIDTH, HEIGHT] = [1600, 900];

/**
 * The screen of a computer. Scenarios: `onedisplay`, `still` (nothing happens there), `follows` (it sends what changes; else it is an older one), `refused`, `away`; of its control `held` (another phone has it), `uncontrolled` (not
 * allowed), `screenless` (the computer cannot).
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    let taken = 0;
    const check = () => {
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('refused')) fake.fail('not-allowed', 'This phone may not see the screen.', { right: 'display' });
    };
    fake.remote('display.list', () => {
        check();
        const all = [
            { id: 0, name: 'HDMI-1', width: 2560, height: 1440, primary: true }, { id: 1, name: 'eDP-1', width: 1920, height: 1200, primary: false },
        ];
        return { displays: scenario.has('onedisplay') ? all.slice(0, 1) : all };
    });
    fake.remote('input.open', ({ takeOver }) => {
        if (scenario.has('uncontrolled')) fake.fail('not-allowed', 'This phone may not control it.', { right: 'screen.control' });
        if (scenario.has('screenless')) fake.fail('unknown-method', 'The computer’s Wayland compositor lets no program move its pointer.');
        if (scenario.has('held') && !takeOver) return { state: 'held', by: '书房平板 <b>' };
        return { state: 'open', sessionId: 's1', way: 'x11', text: true, stopKey: 'Ctrl+Alt+Escape', silence: 15 };
    });
    fake.remote('input.send', ({ first, events }) => ({ last: first + events.length - 1, unknown: 0 }));
    fake.remote('input.close', () => ({ success: true }));
    fake.computerParts.screen = async (id, options = {}) => {
        check();
        taken += 1;
        fake.calls.push({ method: 'screen', id, params: { ...options, signal: undefined } });
        const blob = await desktop(scenario.has('still') ? 1 : taken, options.display ?? 0, options.format === 'png' ? 'image/png' : 'image/jpeg');
        return { blob, width: WIDTH, height: HEIGHT, at: Date.now() };
    };
    fake.computerParts.live = async (id, options) => {
        check();
        if (!scenario.has('follows')) fake.fail('unknown-method', 'There is no method display.watch.');
        fake.calls.push({ method: 'live', id, params: { ...options, signal: undefined } });
        return followed(fake, options.display);
    };
}

/** A view whose first picture is whole and whose next ones have one line of a terminal, each once the one before is shown. */
async function followed(fake, display) {
    let follower = null;
    let picture = 0;
    const send = async () => {
        picture += 1;
        const area = picture === 1 ? { x: 0, y: 0, width: WIDTH, height: HEIGHT } : { x: 880, y: 420, width: 320, height: 40 };
        const jpeg = new Uint8Array(await (await desktop(picture, display, 'image/jpeg', area)).arrayBuffer());
        follower?.frame({ picture, area, jpeg });
        follower?.frame({ picture, isWhole: true });
    };
    const view = {
        width: WIDTH, height: HEIGHT,
        follow(given) { follower = given; send(); },
        shown(shown) {
            fake.calls.push({ method: 'live.shown', params: { picture: shown } });
            if (shown === picture && shown < 3) send();
        },
        close() { fake.calls.push({ method: 'live.close' }); follower = null; },
    };
    fake.endLive = (end) => { const ended = follower; follower = null; ended?.ended(end); };
    return view;
}

async function desktop(turn, display, type, area = { x: 0, y: 0, width: WIDTH, height: HEIGHT }) {
    const canvas = new OffscreenCanvas(area.width, area.height);
    const context = canvas.getContext('2d');
    context.translate(-area.x, -area.y);
    const sky = context.createLinearGradient(0, 0, WIDTH, HEIGHT);
    sky.addColorStop(0, display ? '#37244f' : '#12333a');
    sky.addColorStop(1, display ? '#8a4f7d' : '#2f7f8a');
    context.fillStyle = sky;
    context.fillRect(0, 0, WIDTH, HEIGHT);
    window_(context, 120, 90, 820, 560, '#f4f5f6', '#ffffff');
    context.fillStyle = '#c8d0d6';
    for (let line = 0; line < 12; line += 1) context.fillRect(160, 170 + line * 36, 320 + ((line * 137) % 400), 12);
    window_(context, 860, 300, 600, 420, '#22272b', '#111416');
    context.font = '20px monospace';
    context.fillStyle = '#5fce86';
    ['$ swift test', 'Build complete!', `Executed ${1200 + turn} tests`].forEach((text, at) => context.fillText(text, 890, 380 + at * 34));
    context.fillStyle = 'rgb(10 14 17 / 70%)';
    context.fillRect(0, HEIGHT - 48, WIDTH, 48);
    return canvas.convertToBlob({ type, quality: 0.8 });
}

function window_(context, x, y, width, height, bar, ground) {
    context.fillStyle = ground;
    context.fillRect(x, y, width, height);
    context.fillStyle = bar;
    context.fillRect(x, y, width, 40);
    ['#d6453c', '#f0b25c', '#5fce86'].forEach((colour, at) => {
        context.fillStyle = colour;
        context.beginPath();
        context.arc(x + 24 + at * 24, y + 20, 7, 0, 7);
        context.fill();
    });
}
