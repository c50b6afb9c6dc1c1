import { NOW, days, hours } from './common.js';
import { drawing, wave } from './chat.js';

const HOSTILE = '\u202Egpj.exe<img src=x onerror="window.hacked=1">\u200B';
const COLOURS = [['#27576b', '#f3c76b'], ['#6b3f27', '#f6b7a0'], ['#2f6b3a', '#f0d9a8']];

const storyId = (number) => `1f0c2b3a-0001-4000-8000-${String(number).padStart(12, '0')}`;
const categoryId = (number) => `2b1e0c5f-0001-4000-8000-${String(number).padStart(12, '0')}`;
const mediumId = (number) => `3c2f1d6a-0001-4000-8000-${String(number).padStart(12, '0')}`;

/**
 * A phone's journal. Scenarios: `no-journal`, `no-categories`, `no-deleted`, `many-stories` (3,000), `journal-failed`, `journal-fails` (nothing is written),
 * `journal-no-media`, `journal-cut`, `journal-problems` (of an import and an export), `hostile`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    const book = new Book(fake, scenario);
    fake.journal = book;
    installStories(fake, book, scenario);
    installCategories(fake, book, scenario);
    installExchange(fake, scenario);
    fake.answer('journal.settings', () => ({ settings: [] }));
    fake.answer('journal.set', ({ key, type, value }) => ({ key, type, value }));
    fake.routes = routesOf(fake.routes, fake, book, scenario);
}

/** What the program keeps, and what tests let happen in it. */
class Book {
    /** @type {Map<string, any>} */
    stories = new Map();
    /** @type {any[]} In the order of the tree. */
    categories = [];
    /** What was attached: the story, the file's name, its type and size. */
    attached = [];
    #number = 100;

    constructor(fake, scenario) {
        this.fake = fake;
        this.scenario = scenario;
        if (!scenario.has('no-journal') && !scenario.has('no-categories')) fillCategories(this, scenario);
        if (!scenario.has('no-journal')) fill(this, scenario);
    }

    next() { this.#number += 1; return this.#number; }

    put(members) {
        const story = {
            id: storyId(this.next()), title: null, content: '', isCut: false, timestamp: NOW, createdAt: NOW, updatedAt: NOW, mood: null, location: null, latitude: null, longitude: null,
            categories: [], media: [], isDeleted: false, ...members,
        };
        this.stories.set(story.id, story);
        return story;
    }

    get(id) { return this.stories.get(id) ?? this.fake.fail('not-found', 'There is no such story.', { reason: 'unknownStory' }); }

    /** By its id, its path or its name. */
    category(name) {
        return this.categories.find(({ id, path, name: own }) => [id, path, own].includes(name)) ?? this.fake.fail('not-found', 'There is no such category.', { reason: 'unknownCategory' });
    }

    branch(id) {
        const found = new Set([id]);
        for (const each of this.categories) if (found.has(each.parent)) found.add(each.id);
        return found;
    }

    /** Changes a story, as another window does, and tells of it. */
    change(id, members) {
        const story = this.get(id);
        Object.assign(story, members, { updatedAt: story.updatedAt + 1000 });
        this.tell();
        return story;
    }

    tell() { this.fake.emit('journal', {}); }

    writes() { if (this.scenario.has('journal-fails')) this.fake.fail('full', 'The disk is full.'); }

    shown(story) { return { ...story, categories: story.categories.map((id) => ({ id, path: this.category(id).path })) }; }

    entry(story, words = '') {
        const plain = story.content.replaceAll(/!?\[[^\]]*\]\([^)]*\)|[#*_>`-]/g, ' ').replaceAll(/\s+/g, ' ').trim();
        const at = words ? Math.max(0, plain.toLowerCase().indexOf(words.split(' ')[0].toLowerCase()) - 20) : 0;
        return {
            id: story.id, title: story.title ?? plain.slice(0, 40), excerpt: plain.slice(at, at + 160), timestamp: story.timestamp, updatedAt: story.updatedAt, mood: story.mood, location: story.location,
            categories: story.categories.map((id) => this.category(id).path), media: story.media.length, isDeleted: story.isDeleted,
        };
    }

    sorted(isDeleted) { return [...this.stories.values()].filter((story) => story.isDeleted === isDeleted).sort((one, other) => other.timestamp - one.timestamp); }

    recount() { for (const each of this.categories) each.stories = this.sorted(false).filter(({ categories }) => categories.includes(each.id)).length; }
}

function installStories(fake, book, scenario) {
    const page = (all, before, limit, words) => {
        const from = before ? Number(before.split('-').at(-1)) : 0;
        const some = all.slice(from, from + limit);
        return { stories: some.map((story) => book.entry(story, words)), next: from + limit < all.length ? `${some.at(-1).timestamp}-${from + limit}` : null };
    };
    const within = (all, category) => {
        if (!category) return all;
        const branch = book.branch(book.category(category).id);
        return all.filter(({ categories }) => categories.some((id) => branch.has(id)));
    };
    const fields = ({ title, content, timestamp, mood, location, categories }) => ({
        ...(title !== undefined && { title: title || null }), ...(content !== undefined && { content }), ...(timestamp !== undefined && { timestamp }), ...(mood !== undefined && { mood: mood || null }),
        ...(location !== undefined && { location: location || null }), ...(categories && { categories: categories.map((name) => book.category(name).id) }),
    });
    fake.answer('journal.list', ({ category, from = -Infinity, until = Infinity, deleted = false, before, limit = 50 }) => {
        if (scenario.has('journal-failed')) fake.fail('internal', 'The journal cannot be read.');
        return page(within(book.sorted(deleted), category).filter(({ timestamp }) => timestamp >= from && timestamp < until), before, limit);
    });
    fake.answer('journal.search', ({ words, category, before, limit = 50 }) => {
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
        return page(within(book.sorted(false), category).filter(({ title, content }) => wanted.every((word) => `${title} ${content}`.toLowerCase().includes(word))), before, limit, words);
    });
    fake.answer('journal.show', ({ id }) => book.shown(book.get(id)));
    fake.answer('journal.add', (draft) => {
        book.writes();
        const story = book.put(fields(draft));
        book.recount();
        book.tell();
        return book.shown(story);
    });
    const change = (id, members) => {
        book.writes();
        const story = book.change(id, members);
        book.recount();
        return book.shown(story);
    };
    fake.answer('journal.edit', ({ id, change: changed }) => change(id, fields(changed)));
    fake.answer('journal.delete', ({ id }) => change(id, { isDeleted: true }));
    fake.answer('journal.restore', ({ id }) => change(id, { isDeleted: false }));
    fake.answer('journal.purge', ({ id }) => {
        book.writes();
        const gone = book.sorted(true).filter((story) => !id || story.id === id);
        for (const story of gone) book.stories.delete(story.id);
        book.tell();
        return { stories: gone.length };
    });
    fake.answer('journal.attach', ({ id, path }) => attach(book, id, { name: path.split('/').at(-1), type: 'image/jpeg', size: 204_880 }));
    fake.answer('journal.save', ({ path }) => ({ path, type: 'image' }));
}

function installCategories(fake, book, scenario) {
    fake.answer('journal.categories', () => {
        if (scenario.has('journal-failed')) fake.fail('internal', 'The journal cannot be read.');
        book.recount();
        return { categories: book.categories };
    });
    fake.answer('journal.addCategory', ({ name, parent, color = '#007AFF', icon = 'folder' }) => {
        book.writes();
        const above = parent ? book.category(parent) : null;
        const made = addCategory(book, { name, above, color, icon });
        book.tell();
        return made;
    });
    fake.answer('journal.editCategory', ({ category, name, parent, color, sortOrder }) => {
        book.writes();
        const one = book.category(category);
        if (name && book.categories.some((each) => each !== one && each.parent === one.parent && each.name === name)) fake.fail('exists', `There is a category ${name} at that place already.`, { reason: 'categoryExists', values: { name } });
        Object.assign(one, name && { name }, parent !== undefined && { parent: parent ? book.category(parent).id : null }, color && { color }, sortOrder !== undefined && { sortOrder });
        ordered(book);
        book.tell();
        return one;
    });
    fake.answer('journal.deleteCategory', ({ category }) => {
        book.writes();
        const one = book.category(category);
        if (book.categories.some(({ parent }) => parent === one.id)) fake.fail('refused', 'Other categories are inside of it.', { reason: 'categoryHasParts' });
        book.categories = book.categories.filter((each) => each !== one);
        for (const story of book.stories.values()) story.categories = story.categories.filter((id) => id !== one.id);
        book.tell();
        return one;
    });
}

function installExchange(fake, scenario) {
    const isTroubled = scenario.has('journal-problems');
    fake.answer('journal.import', ({ path, format = 'dayOne' }) => {
        if (path.includes('missing')) fake.fail('not-found', `${path} cannot be read.`, { reason: 'unreadable', values: { path } });
        const name = scenario.has('hostile') ? HOSTILE : 'photos/ff.jpeg';
        const problems = isTroubled ? Array.from({ length: 31 }, (_, at) => ({ item: `${at + 1} ${name}`, reason: 'Its file is not in the export. The story came in without it.' })) : [];
        return { format, added: 212, updated: 3, unchanged: 18, addedMedia: 96, unchangedMedia: 4, problems, problemCount: problems.length };
    });
    fake.answer('journal.export', ({ folder }) => ({
        folder, stories: 233, media: 100,
        broken: isTroubled ? [{ medium: mediumId(1), fileName: 'lake.jpg', reason: 'FILE_NOT_FOUND', story: storyId(1) }, { medium: mediumId(2), fileName: 'song.m4a', reason: 'SOMETHING_NEW', story: null }] : [],
    }));
}

function attach(book, id, { name, type, size }) {
    const story = book.get(id);
    const kind = ['image', 'video', 'audio'].find((each) => type.startsWith(each)) ?? 'file';
    const made = medium(book.next(), kind, name, { fileSize: size });
    story.media.push(made);
    story.updatedAt += 1000;
    book.tell();
    return made;
}

function medium(number, type, fileName, members = {}) {
    const isImage = type === 'image';
    return { id: mediumId(number), type, fileName, fileSize: 204_880, width: isImage ? 1200 : 0, height: isImage ? 800 : 0, duration: type === 'audio' ? 12.5 : 0, createdAt: NOW, hasThumbnail: isImage, broken: null, ...members };
}

function addCategory(book, { id = categoryId(book.next()), name, above, color, icon }) {
    const made = { id, name, path: name, level: 1, parent: above?.id ?? null, color, icon, sortOrder: 0, stories: 0 };
    book.categories.push(made);
    ordered(book);
    return made;
}

/** Each before what is inside of it, with its path and level. */
function ordered(book) {
    const found = [];
    const walk = (parent, path, level) => {
        for (const each of book.categories.filter((one) => one.parent === parent)) {
            Object.assign(each, { path: [...path, each.name].join('/'), level });
            found.push(each);
            walk(each.id, [...path, each.name], level + 1);
        }
    };
    walk(null, [], 1);
    book.categories = found;
}

function fillCategories(book, scenario) {
    const add = (number, name, above, color) => addCategory(book, { id: categoryId(number), name, above, color, icon: 'folder' });
    const travel = add(0, 'Travel', null, '#007AFF');
    const italy = add(1, 'Italy', travel, '#34C759');
    add(2, scenario.has('hostile') ? HOSTILE : 'Lago Maggiore', italy, '#34C759');
    add(3, '家人', null, '#FF9500');
    add(4, 'Work', null, '#AF52DE');
}

function fill(book, scenario) {
    const isHostile = scenario.has('hostile');
    const put = (number, age, members) => book.put({ id: storyId(number), timestamp: NOW - age, createdAt: NOW - age, updatedAt: NOW - age, ...members });
    const has = (...numbers) => (book.categories.length > 0 ? numbers.map(categoryId) : []);
    put(1, hours(5), {
        title: isHostile ? HOSTILE : 'A walk above the lake', mood: isHostile ? HOSTILE : 'glad', location: isHostile ? HOSTILE : 'Rigi', latitude: 47.0567, longitude: 8.4854, categories: has(0, 1), isCut: scenario.has('journal-cut'),
        content: `# The hills\n\n${isHostile ? HOSTILE : 'We left before the mist did.'} What stays with me:\n\n- the **bells** long before the cows\n- a path that was not on the map\n- [ ] send Grace the pictures\n\n![The lake below](media://${mediumId(1)})\n\nOn the way down [the old railway](https://example.org/rigi) passed us, and https://example.org says that it runs all winter.\n\n> Nobody was in a hurry.\n\n[Route as a file](media://${mediumId(4)})`,
        media: [medium(1, 'image', 'lake.jpg'), medium(2, 'image', 'cows.jpg', { width: 800, height: 1000 }), medium(3, 'image', 'inn.jpg', { width: 1000, height: 1000 }), medium(4, 'file', isHostile ? HOSTILE : 'route.gpx', { fileSize: 48_200 }), medium(5, 'video', 'train.mov', { broken: 'FILE_NOT_FOUND', duration: 14 })],
    });
    put(2, days(1), { content: 'Only words. The day was too full for more than these.', mood: 'tired' });
    put(3, days(3), { title: '外婆的生日', content: '今天全家一起吃了长寿面，外婆说她很开心。\n\n1. 做了红烧肉\n2. 唱了歌', location: '杭州', categories: has(3), mood: 'glad' });
    put(4, days(9), { title: 'What the choir sang', content: `![](media://${mediumId(6)})\n\nRecorded from the third row.`, media: [medium(6, 'audio', 'choir.m4a')] });
    put(5, days(34), { title: 'The relay works', content: 'Two phones, no cable, and the light stayed green.\n\n```swift\nlet answer = 42\n```\n\n| try | time |\n|---|---:|\n| 1 | 9 s |\n| 2 | 3 s |', categories: has(4) });
    put(6, days(40), { title: 'Rain on the roof of the train', content: 'Four hours to Milan, and a book that I did not open.', categories: has(0, 1, 2), location: 'Milano' });
    put(7, days(95), { title: 'A letter that I did not send', content: 'It lies in the drawer.' });
    if (!scenario.has('no-deleted')) {
        put(20, days(2), { title: 'Shopping list', content: 'Bread, coffee, a new lamp.', isDeleted: true });
        put(21, days(60), { title: '旧的草稿', content: '不再需要了。', isDeleted: true });
    }
    if (scenario.has('many-stories')) for (let at = 0; at < 3000; at += 1) put(1000 + at, days(100) + hours(11 * at), { title: `Day ${at + 1}`, content: `What happened on day ${at + 1} of this book.` });
    book.recount();
}

/** Bytes: pictures are drawn, and what is to be heard is a low hum. */
function routesOf(others, fake, book, scenario) {
    const find = (id) => [...book.stories.values()].flatMap(({ media }) => media).find((each) => each.id === id);
    const at = (id) => Number(id.slice(-12)) % COLOURS.length;
    return {
        ...others,
        address: (path, query) => {
            if (path !== 'journal/media') return others.address(path, query);
            if (scenario.has('journal-no-media')) return 'data:image/png;base64,AAAA';
            const id = String(query.id);
            const found = find(id);
            if (found && found.type !== 'image') return URL.createObjectURL(new Blob([wave()], { type: 'audio/wav' }));
            const part = query.thumbnail ? 0.25 : 1;
            return drawing(...COLOURS[at(id)], Math.round((found?.width || 800) * part), Math.round((found?.height || 600) * part));
        },
        post: async (path, query, body, options) => {
            if (path !== 'journal/media') return others.post(path, query, body, options);
            fake.calls.push({ method: path, params: { ...query, type: body.type, size: body.size } });
            book.writes();
            book.attached.push({ story: query.story, name: query.name, type: body.type, size: body.size });
            return structuredClone(attach(book, query.story, { name: query.name, type: body.type, size: body.size }));
        },
    };
}
