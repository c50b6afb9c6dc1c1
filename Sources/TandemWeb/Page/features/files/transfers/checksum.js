const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
});

/** CRC-32, as ZIP wants it of each file. */
export class Checksum {
    #state = 0xffffffff;

    add(bytes) {
        let state = this.#state;
        for (let at = 0; at < bytes.length; at++) state = TABLE[(state ^ bytes[at]) & 0xff] ^ (state >>> 8);
        this.#state = state;
    }

    get value() { return (this.#state ^ 0xffffffff) >>> 0; }
}
