// A computer is asked for notifications, and is to be asked again while that goes on: no ask is lost, whenever it comes.
import { SealedClient } from '../../../Sources/TandemWeb/Page/client/sealed.js';
import { WireError } from '../../../Sources/TandemWeb/Page/wire/error.js';
import { memoryStore } from '../wire/memory-store.mjs';
import { scriptedPhone, until } from './scripted-phone.mjs';

/** Moments after an answer in which another ask comes: more than the whole answer takes. */
const MOMENTS = 80;
const said = {};
const store = memoryStore();
const { phone } = await scriptedPhone(store);
const [one, two] = [...phone.machines.values()];
two.stand('away');
let asked = 0;
let answer = null;
one.answers = { 'notification.sync': () => { asked += 1; return new Promise((resolve, reject) => { answer = { resolve, reject }; }); } };
const client = new SealedClient({ phone, store, version: '1' });
const none = { epoch: 'e1', changes: [], reached: 0, more: false, fromStart: true, unreadCount: 0, history: 0 };
const right = () => phone.tell('rights', { id: 'pc-1', rights: ['notification'] });

// The right comes while the computer's refusal is under way.
await until(() => asked === 1);
right();
answer.reject(new WireError('not-allowed', 'no', { rpc: -32010 }));
said.refused = await until(() => asked === 2).then(() => true, () => false);
answer.resolve(none);

const lost = [];
for (let moment = 0; moment < MOMENTS; moment += 1) {
    await settled();
    right();
    await until(() => answer !== null);
    const before = asked;
    answer.resolve({ ...none, fromStart: false });
    answer = null;
    for (let turn = 0; turn < moment; turn += 1) await null;
    right();
    await until(() => asked > before).catch(() => lost.push(moment));
}
said.lost = lost;

/** Nothing is asked any more, and what was asked is answered. */
async function settled() {
    for (let quiet = 0; quiet < 5; quiet += 1) {
        if (answer) { answer.resolve({ ...none, fromStart: false }); quiet = 0; }
        answer = null;
        await new Promise((resolve) => setImmediate(resolve));
    }
}

client.end();
console.log(JSON.stringify(said));
process.exit(0);
