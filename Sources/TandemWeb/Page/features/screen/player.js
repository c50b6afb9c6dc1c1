/** So often the page says that it is there, in milliseconds: well below what the computer waits. */
const SIGN = 5000;
/** A picture that takes longer to arrive, in milliseconds, came by a slow way. */
const SLOW = 700;
/** Parts of one picture; the computer joins them where there are more. */
const MOST = 1024;

/**
 * Shows a live view until it ends: draws each picture once all its parts are there, and then says so, upon which the computer sends the next.
 *
 * @param {import('../../client/live-screen.js').LiveScreen} view
 * @param {{draw: (parts: {area: Object, bitmap: ImageBitmap}[]) => void, told: (isSlow: boolean) => void, decode?: (jpeg: Uint8Array) => Promise<ImageBitmap>}} options
 *   `told` is called after each picture.
 * @returns {{ended: Promise<{reason?: string, error?: any}>, stop: () => void}}
 */
export function play(view, { draw, told, decode = decoded }) {
    let shown = 0;
    let began = null;
    let parts = [];
    let isOver = false;
    let turn = Promise.resolve();
    const sign = setInterval(() => view.shown(shown), SIGN);
    let finish;
    const ended = new Promise((resolve) => { finish = resolve; });
    const end = (how) => {
        if (isOver) return;
        isOver = true;
        clearInterval(sign);
        view.close();
        finish(how);
    };
    const show = async (picture, all, took) => {
        const drawn = await Promise.all(all.map(async ({ area, bitmap }) => ({ area, bitmap: await bitmap })));
        if (isOver) return;
        draw(drawn);
        shown = picture;
        view.shown(picture);
        told(took > SLOW);
    };
    view.follow({
        frame({ picture, area, jpeg }) {
            if (area) {
                began ??= performance.now();
                if (parts.length === MOST || area.x + area.width > view.width || area.y + area.height > view.height) return end({ reason: 'failed' });
                const bitmap = decode(jpeg);
                // It is waited for with the others of its picture.
                bitmap.catch(() => {});
                parts.push({ area, bitmap });
                return undefined;
            }
            const all = parts;
            const took = began === null ? 0 : performance.now() - began;
            [parts, began] = [[], null];
            turn = turn.then(() => show(picture, all, took)).catch(() => end({ reason: 'failed' }));
            return undefined;
        },
        ended: end,
    });
    return { ended, stop: () => end({ reason: 'closed' }) };
}

function decoded(jpeg) { return createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' })); }
