/** What of a value does not fit a shape of `contract.json`, as `fake/conforms.js` reads shapes; empty where all does. */
export function misfits(shape, value, place) {
    if (typeof shape === 'string') return shape.split('|').some((kind) => KINDS[kind](value)) ? [] : [`${place} is no ${shape}`];
    if (Array.isArray(shape)) return Array.isArray(value) ? value.flatMap((each, at) => misfits(shape[0], each, `${place}[${at}]`)) : [`${place} is no list`];
    if (shape['|']) {
        const tried = shape['|'].map((each) => misfits(each, value, place));
        return tried.some((each) => each.length === 0) ? [] : tried[0];
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} is no object`];
    const missing = Object.keys(shape).filter((name) => name !== '*' && !name.endsWith('?') && value[name] === undefined);
    const members = Object.entries(value).filter(([, member]) => member !== undefined).flatMap(([name, member]) => {
        const known = shape[name] ?? shape[`${name}?`] ?? shape['*'];
        return known === undefined ? [`${place}.${name} is not in the contract`] : misfits(known, member, `${place}.${name}`);
    });
    return [...missing.map((name) => `${place}.${name} is missing`), ...members];
}

const KINDS = {
    any: () => true, null: (value) => value === null, string: (value) => typeof value === 'string', boolean: (value) => typeof value === 'boolean',
    number: (value) => typeof value === 'number', integer: (value) => Number.isInteger(value),
};
