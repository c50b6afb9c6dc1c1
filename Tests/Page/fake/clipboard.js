import { NOW } from './common.js';

/**
 * The clipboard of a computer. Scenarios: `html`, `picture`, `copiedfiles`, `nothing`, `no-history`, `empty-history`, `hostile`, `refused`, `away`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    const check = () => {
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('refused')) fake.fail('not-allowed', 'This phone may not use the clipboard.', { right: 'clipboard' });
    };
    fake.remote('clipboard.get', async () => {
        check();
        const base = { success: true, timestamp: Date.now() - 5000, formats: ['text/plain'] };
        if (scenario.has('nothing')) return { ...base, type: 'empty', content: '' };
        if (scenario.has('html')) {
            return { ...base, type: 'html', content: '<b>Minutes</b> of the <a href="javascript:alert(1)">meeting</a><img src=x onerror="window.hacked=1">', text: 'Minutes of the meeting' };
        }
        if (scenario.has('copiedfiles')) return { ...base, type: 'files', content: '', files: ['file:///home/ada/report.pdf', 'file:///home/ada/照片/海.jpg'] };
        if (scenario.has('picture')) {
            return { ...base, type: 'image', content: await drawing(), imageInfo: { width: 640, height: 360, size: 9000, format: 'png', originalWidth: 1280, originalHeight: 720 }, scaled: true };
        }
        return { ...base, type: 'text', content: 'ssh ada@studio-pc.local\n第二行：剪贴板里的文字\nhttps://example.net/?q=tandem' };
    });
    fake.remote('clipboard.set', ({ content, type }) => {
        check();
        return { ok: true, success: true, type, bytesWritten: new TextEncoder().encode(content).length, timestamp: Date.now() };
    });
    /** @type {[secondsAgo: number, content: string][]} */
    const copied = [
        [5, 'ssh ada@studio-pc.local'],
        [64, '会议改到周四下午三点，地点不变。请把上一版的预算表也带上，我们要逐项核对。'],
        [190, 'https://example.net/a/long/address/that/does/not/fit/into/one/line/of/a/phone/?with=query&and=more'],
        [900, 'func page() {\n    print("Hello")\n}'],
    ];
    let history = copied.map(([seconds, content], at) => (
        { id: String(4 - at), type: at === 1 ? 'html' : 'text', content, size: new TextEncoder().encode(content).length, timestamp: NOW - seconds * 1000 }));
    if (scenario.has('hostile')) history[0].content = '\u202Eexe.fdp<img src=x onerror="window.hacked=1">\u200B';
    if (scenario.has('empty-history') || scenario.has('no-history')) history = [];
    fake.remote('clipboard.getHistory', ({ limit }) => {
        check();
        return { success: true, enabled: !scenario.has('no-history'), history: history.slice(0, limit), items: history.slice(0, limit), total: history.length };
    });
    fake.remote('clipboard.clearHistory', () => {
        check();
        history = [];
        return { success: true };
    });
    fake.serve('clipboard.follow', async ({ item, signal }) => {
        check();
        const timer = setTimeout(() => item({ type: 'text', content: 'copied a moment ago', formats: ['text/plain'], timestamp: Date.now() }), 400);
        signal.addEventListener('abort', () => clearTimeout(timer));
        return new Promise(() => {});
    });
}

async function drawing() {
    const canvas = new OffscreenCanvas(640, 360);
    const context = canvas.getContext('2d');
    const sky = context.createLinearGradient(0, 0, 640, 360);
    sky.addColorStop(0, '#0b6a77');
    sky.addColorStop(1, '#f0b25c');
    context.fillStyle = sky;
    context.fillRect(0, 0, 640, 360);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
