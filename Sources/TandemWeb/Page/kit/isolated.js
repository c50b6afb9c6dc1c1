import { plainText } from './first.js';

/** A name inside of a sentence: what could mislead is visible, and it turns no other word around. */
export function isolated(name) { return `\u2068${plainText(name, 80)}\u2069`; }
