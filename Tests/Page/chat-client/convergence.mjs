/** Two people write, take back and read over a network that loses, doubles and delays, while their pages are killed: in the end both have what the hub has. */
import { ChatHub, chance } from './hub.mjs';
import { Person } from './person.mjs';

const ROUNDS = Number(process.argv[2] ?? 20);
const STEPS = 40;
const said = { rounds: 0, messages: 0, kills: 0, wrong: [] };

for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const random = chance(seed);
    const hub = new ChatHub();
    const people = [await Person.made(hub, random, 'ada'), await Person.made(hub, random, 'bob')];
    const conversation = (await people[0].call('chat.open', { person: 'bob' })).id;
    const sent = new Set();
    for (const person of people) person.network.bad = 0.2;
    for (let step = 0; step < STEPS; step += 1) {
        const person = people[Math.floor(random() * 2)];
        const dice = random();
        try {
            if (dice < 0.65) {
                const text = `${person.name} ${step}`;
                const id = `m-${seed}-${step}`;
                await person.call('chat.send', { conversation, text, id });
                sent.add(`${text} ${id}`);
                said.messages += 1;
            } else if (dice < 0.75) {
                const own = (await person.call('chat.history', { conversation, limit: 10 })).messages.filter(({ isMine, status, kind }) => isMine && status === 'sent' && kind === 'text');
                if (own.length > 0) await person.call('chat.recall', { conversation, id: own.at(-1).id });
            } else if (dice < 0.85) await person.call('chat.read', { conversation });
            else if (dice < 0.93) person.network.cut();
            else { await person.kill(); said.kills += 1; }
        } catch {
            // The network refused it, which the person is told.
        }
        await new Promise((done) => { setTimeout(done, Math.floor(random() * 4)); });
    }
    for (const person of people) Object.assign(person.network, { bad: 0, isDown: false });
    // A push that was lost with nothing behind it is found by the next connection.
    for (const person of people) { person.network.cut(); person.chat.session.nudge(); }
    for (const person of people) await person.settled();
    const there = hub.log(conversation).map((row) => `${row.seq} ${row.from} ${row.isRecalled ? 'recalled' : row.content}`);
    for (const person of people) {
        const here = (await person.all(conversation)).map(({ seq, from, kind, text }) => `${seq} ${from.slice(3)} ${kind === 'recalled' ? 'recalled' : text}`);
        if (JSON.stringify(here) !== JSON.stringify(there)) said.wrong.push({ seed, who: person.name, here, there });
        const unread = person.chat.session.book.conversations.get(conversation).unread;
        const read = hub.accounts.get(Number(person.account.userID.slice(3))).read.get(conversation) ?? 0;
        const count = hub.log(conversation).filter(({ seq, from, isRecalled }) => seq > read && `tb_${from}` !== person.account.userID && !isRecalled).length;
        if (unread !== count) said.wrong.push({ seed, who: person.name, unread, count, read });
    }
    const ids = hub.log(conversation).map(({ id }) => id);
    for (const each of sent) if (!ids.includes(each.split(' ').at(-1))) said.wrong.push({ seed, lost: each });
    if (new Set(ids).size !== ids.length) said.wrong.push({ seed, twice: ids });
    for (const person of people) person.chat.end();
    said.rounds += 1;
}
console.log(JSON.stringify(said));
process.exit(0);
