// Asks the fakes of every role for each method that they answer, with the parameters that the contract records, and prints as JSON what does not fit.
// Runs in Node: what a browser has besides is played, as far as the fakes need it.

import { readFileSync, readdirSync } from 'node:fs';
import { register } from 'node:module';

const here = new URL('.', import.meta.url);
register('data:text/javascript,' + encodeURIComponent(`
    const [tests, page] = ${JSON.stringify([here.href, new URL('../../Sources/TandemWeb/Page/', here).href])};
    const file = (name) => new URL(name.slice(1), name.startsWith('/fake/') ? tests : page).href;
    export const resolve = (name, context, next) => (name.startsWith('/') ? { url: file(name), shortCircuit: true } : next(name, context));
    export const load = (url, context, next) => next(url, url.endsWith('.js') ? { ...context, format: 'module' } : context);
`));

const contract = JSON.parse(readFileSync(new URL('contract.json', here), 'utf8'));
const kept = new Map();
const pen = new Proxy({}, { get: (own, name) => own[name] ?? (() => ({ addColorStop() {} })) });
Object.assign(globalThis, {
    window: globalThis, location: { search: '' }, setInterval: () => 0, fetch: async () => ({ json: async () => contract }),
    sessionStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key), clear: () => kept.clear() },
    indexedDB: { deleteDatabase() {}, open: () => { throw new DOMException('not here'); } },
    OffscreenCanvas: class { getContext() { return pen; } async convertToBlob() { return new Blob(['x']); } },
});
const { FakeClient } = await import('/fake/fake.js');
const { install } = await import('/fake/areas.js');
const { selves } = await import('/fake/common.js');

const found = new Set();
console.error = (text) => found.add(text.replace(/\[\d+\]/g, '[…]'));
// Those of all screens that are looked at.
const states = readdirSync(new URL('states/', here)).filter((name) => name.endsWith('.py')).map((name) => readFileSync(new URL(`states/${name}`, here), 'utf8'));
const scenarios = new Set(['', ...states.flatMap((text) => [...text.matchAll(/scenario="([^"]*)"/g)].map(([, words]) => words))]);
for (const role of ['phone', 'desktop', 'hub']) {
    for (const scenario of scenarios) {
        const fake = new FakeClient({ self: structuredClone(selves[role]), scenario: new Set(scenario.split(' ').filter(Boolean)) });
        const [own, remote, followed] = [[], [], []];
        const noting = (name, names) => { const put = fake[name].bind(fake); fake[name] = (method, work) => { names.push(method); put(method, work); }; };
        noting('answer', own);
        noting('remote', remote);
        noting('serve', followed);
        install(fake, fake.scenario);
        if (!fake.self) continue;
        for (const method of followed) fake.follow(method, contract.control[method]?.recorded.params ?? {});
        const ask = (asked) => Promise.race([asked.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 20))]);
        // A refusal is an answer, too; so is what only a browser could go on with.
        const devices = role === 'hub' ? [] : ((await ask(fake.call('devices.list')))?.devices ?? []);
        const first = devices[0]?.id ?? '';
        for (const method of own) {
            const { params = {} } = contract.control[method]?.recorded ?? {};
            const called = Object.keys(contract.methods).filter((each) => method.endsWith('s.call') && each.startsWith(method.slice(0, -'.call'.length).replace(/^notifications$/, 'notification') + '.'));
            for (const each of called) await ask(fake.call(method, { method: each, params: contract.methods[each].recorded.params, ...(role === 'phone' && { device: first }) }));
            for (const device of called.length ? [] : [null, ...devices.map(({ id }) => id)]) {
                const about = Object.fromEntries(['id', 'device'].filter((name) => device && typeof params[name] === 'string').map((name) => [name, device]));
                await ask(fake.call(method, { ...params, ...about }));
            }
        }
        for (const method of remote) await ask(fake.computer(first).call(method, structuredClone(contract.methods[method]?.recorded.params ?? {})));
    }
}
// What is followed comes a moment later.
await new Promise((resolve) => setTimeout(resolve, 500));
console.log(JSON.stringify([...found].sort()));
process.exit(0);
