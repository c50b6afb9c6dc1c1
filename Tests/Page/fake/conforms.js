/**
 * Compares what the fakes are asked and what they answer with the contract of the program, as `contract.py` describes it: a shape is a kind
 * (`string|null`), a list of one shape, `{"|": [shapes]}` for one of several, or an object of members: `name?` may be missing, `*` are all others.
 */

const contract = await fetch('/fake/contract.json').then((answer) => answer.json());

const KINDS = {
    any: () => true, null: (value) => value === null, string: (value) => typeof value === 'string', boolean: (value) => typeof value === 'boolean',
    number: (value) => typeof value === 'number', integer: (value) => Number.isInteger(value),
};

/** What does not fit, each with its place; empty where all does. */
export function misfits(shape, value, place) {
    if (typeof shape === 'string') return shape.split('|').some((kind) => KINDS[kind](value)) ? [] : [`${place} is no ${shape}`];
    if (Array.isArray(shape)) {
        if (!Array.isArray(value)) return [`${place} is no list`];
        return value.flatMap((each, at) => misfits(shape[0], each, `${place}[${at}]`));
    }
    if (shape['|']) {
        const tried = shape['|'].map((each) => misfits(each, value, place));
        return tried.some((found) => !found.length) ? [] : tried.find((_, at) => typeof shape['|'][at] !== 'string') ?? tried[0];
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} is no object`];
    const missing = Object.keys(shape).filter((name) => name !== '*' && !name.endsWith('?') && value[name] === undefined);
    return [...missing.map((name) => `${place}.${name} is missing`), ...Object.entries(value).flatMap(([name, member]) => {
        const here = `${place}.${name}`;
        // What other programs answer may be null where it is nothing.
        if (member === undefined || (member === null && shape['*'])) return [];
        if (Object.hasOwn(shape, name) || Object.hasOwn(shape, `${name}?`)) return misfits(shape[name] ?? shape[`${name}?`], member, here);
        return shape['*'] ? misfits(shape['*'], member, here) : [`${here} is not in the contract`];
    })];
}

/** Parameters, of which one that is null is as good as none where it may be missing. */
function misfitsOfParams(shape, params, place) {
    const given = Object.entries(params).filter(([name, value]) => value !== null || !Object.hasOwn(shape, `${name}?`));
    return misfits(shape, Object.fromEntries(given), place);
}

/** Says what does not fit on the console, as an error: the tests of all screens look there. Returns what looks at items and at the answer. */
export function comparing(fake, kind, method, params) {
    const say = (all) => { for (const each of all) console.error(`The contract says otherwise: ${each}`); };
    const own = contract[kind][method];
    if (!own || (own.roles && !own.roles.includes(fake.role))) say([`${method} is no method of a ${kind === 'control' ? fake.role : 'computer'}`]);
    if (!own) return { item: (value) => value, answer: (value) => value };
    say(misfitsOfParams(own.params, params, `${method}(…)`));
    // A call of a computer's method through one of this program's.
    const called = own.params.method && params.method ? comparing(fake, 'methods', params.method, params.params ?? {}) : null;
    // Hostile ones answer what no program does.
    const look = (shape, value, place) => { if (!fake.scenario.has('hostile')) say(misfits(shape, value, place)); return value; };
    return {
        item: (value) => look(own.items ?? 'any', value, `${method}: item`),
        answer: (value) => {
            if (called && method.endsWith('call') && own.answer === 'any') called.answer(value);
            return look(own.answer, value, method);
        },
    };
}
