import { plainText } from '../../kit/index.js';

/** A name inside a sentence: made safe, and kept from turning what stands around it. */
export function named(name, limit = 60) { return `\u2068${plainText(name, limit)}\u2069`; }
