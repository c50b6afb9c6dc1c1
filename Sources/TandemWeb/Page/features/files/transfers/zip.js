/**
 * The records of a ZIP file without compression (APPNOTE 6.3.9): a folder travels as one file that every system can open. Sizes may pass
 * 4 GiB, so each record carries the 64-bit field.
 */
const encoder = new TextEncoder();
const WIDE = 0xffffffff;

/** What comes before a file's bytes. Written twice: as a placeholder, and again once size and checksum are known. */
export function localRecord({ name, time, size = 0, checksum = 0 }) {
    const title = encoder.encode(name);
    const view = new DataView(new ArrayBuffer(30 + title.length + 20));
    view.setUint32(0, 0x04034b50, true);
    shared(view, 4, { time, checksum, nameLength: title.length });
    view.setUint16(28, 20, true);
    const bytes = new Uint8Array(view.buffer);
    bytes.set(title, 30);
    const extra = 30 + title.length;
    view.setUint16(extra, 1, true);
    view.setUint16(extra + 2, 16, true);
    view.setBigUint64(extra + 4, BigInt(size), true);
    view.setBigUint64(extra + 12, BigInt(size), true);
    return bytes;
}

/** What ends a ZIP file: a record for each file, and where they are. */
export function directory(entries, start) {
    const records = entries.map(directoryRecord);
    const size = records.reduce((sum, each) => sum + each.length, 0);
    const view = new DataView(new ArrayBuffer(56 + 20 + 22));
    const count = BigInt(entries.length);
    view.setUint32(0, 0x06064b50, true);
    view.setBigUint64(4, 44n, true);
    view.setUint16(12, 45, true);
    view.setUint16(14, 45, true);
    view.setBigUint64(24, count, true);
    view.setBigUint64(32, count, true);
    view.setBigUint64(40, BigInt(size), true);
    view.setBigUint64(48, BigInt(start), true);
    view.setUint32(56, 0x07064b50, true);
    view.setBigUint64(64, BigInt(start + size), true);
    view.setUint32(72, 1, true);
    view.setUint32(76, 0x06054b50, true);
    view.setUint16(84, Math.min(entries.length, 0xffff), true);
    view.setUint16(86, Math.min(entries.length, 0xffff), true);
    view.setUint32(88, Math.min(size, WIDE), true);
    view.setUint32(92, Math.min(start, WIDE), true);
    return joined([...records, new Uint8Array(view.buffer)]);
}

function directoryRecord({ name, time, size, checksum, at }) {
    const title = encoder.encode(name);
    const view = new DataView(new ArrayBuffer(46 + title.length + 28));
    view.setUint32(0, 0x02014b50, true);
    view.setUint16(4, (3 << 8) | 45, true);
    shared(view, 6, { time, checksum, nameLength: title.length });
    view.setUint16(30, 28, true);
    const isFolder = name.endsWith('/');
    view.setUint32(38, ((isFolder ? 0o40755 : 0o100644) << 16) >>> 0, true);
    view.setUint32(42, WIDE, true);
    const bytes = new Uint8Array(view.buffer);
    bytes.set(title, 46);
    const extra = 46 + title.length;
    view.setUint16(extra, 1, true);
    view.setUint16(extra + 2, 24, true);
    view.setBigUint64(extra + 4, BigInt(size), true);
    view.setBigUint64(extra + 12, BigInt(size), true);
    view.setBigUint64(extra + 20, BigInt(at), true);
    return bytes;
}

/** Version, UTF-8 names, no compression, time, checksum, sizes in the field after the name. */
function shared(view, at, { time, checksum, nameLength }) {
    const date = new Date(Math.max(time ?? 0, Date.UTC(1980, 0, 2)));
    view.setUint16(at, 45, true);
    view.setUint16(at + 2, 0x0800, true);
    view.setUint16(at + 6, (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1), true);
    view.setUint16(at + 8, ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate(), true);
    view.setUint32(at + 10, checksum, true);
    view.setUint32(at + 14, WIDE, true);
    view.setUint32(at + 18, WIDE, true);
    view.setUint16(at + 22, nameLength, true);
}

function joined(parts) {
    const whole = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0));
    let at = 0;
    for (const part of parts) { whole.set(part, at); at += part.length; }
    return whole;
}
