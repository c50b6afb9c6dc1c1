/** The letters that a BlurHash is written in, by their value. Source: https://github.com/woltapp/blurhash/blob/master/Algorithm.md */
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';
/** Letters of one with nine components each way, which is the most. */
const LONGEST = 4 + 2 * 81;

const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const sRGB = (value) => {
    const within = Math.min(1, Math.max(0, value));
    return Math.round((within <= 0.0031308 ? within * 12.92 : 1.055 * within ** (1 / 2.4) - 0.055) * 255);
};
const signedSquare = (value) => Math.sign(value) * value * value;

/**
 * The blurred picture that a BlurHash describes.
 *
 * @param {string} hash What a peer sent.
 * @param {number} width In pixels. @param {number} height
 * @returns {Uint8ClampedArray | null} Red, green, blue and alpha of each pixel; null where it is no BlurHash.
 */
export function blurPixels(hash, width, height) {
    if (typeof hash !== 'string' || hash.length < 6 || hash.length > LONGEST) return null;
    const digits = [...hash].map((letter) => LETTERS.indexOf(letter));
    if (digits.includes(-1)) return null;
    const value = (from, to) => digits.slice(from, to).reduce((sum, digit) => sum * 83 + digit, 0);
    const [across, down] = [(digits[0] % 9) + 1, Math.floor(digits[0] / 9) + 1];
    if (down > 9 || hash.length !== 4 + 2 * across * down) return null;
    const most = (digits[1] + 1) / 166;
    const average = value(2, 6);
    const colours = [[linear(average >> 16), linear((average >> 8) & 255), linear(average & 255)]];
    for (let at = 1; at < across * down; at += 1) {
        const part = value(4 + at * 2, 6 + at * 2);
        colours.push([Math.floor(part / 361), Math.floor(part / 19) % 19, part % 19].map((each) => signedSquare((each - 9) / 9) * most));
    }
    const pixels = new Uint8ClampedArray(width * height * 4);
    for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
            const sums = [0, 0, 0];
            colours.forEach((colour, at) => {
                const basis = Math.cos((Math.PI * x * (at % across)) / width) * Math.cos((Math.PI * y * Math.floor(at / across)) / height);
                for (const channel of [0, 1, 2]) sums[channel] += colour[channel] * basis;
            });
            pixels.set([...sums.map(sRGB), 255], (y * width + x) * 4);
        }
    }
    return pixels;
}
