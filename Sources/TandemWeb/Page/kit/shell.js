/** A text as one word for a shell. */
export function quoted(text) {
    return `'${String(text ?? '').replaceAll("'", "'\\''")}'`;
}
