import { fileAddress } from '../kit/address.js';
import { formatter } from './format.js';

/** The languages of the page, each by its own name. */
export const LANGUAGES = [
    { id: 'en', name: 'English' },
    { id: 'zh', name: '简体中文' },
];

const KEY = 'tandem.language';
const listeners = new Set();
let current = 'en';
let role = null;
let texts = {};
let decorate = (text) => text;
/** @type {(id: string) => any} */
let makeFormat = formatter;
/**
 * What features bring: the areas of texts that each role's page begins with, and words of theirs that others show.
 *
 * @type {{areas(role: string): string[], words(language: string): Object}}
 */
let given = { areas: () => [], words: () => ({}) };
/** Areas of screens that bring their own texts when they are first opened. */
const later = new Set();

/** Numbers, dates, sizes and plurals in the page's language. */
export let format = formatter('en');

/** The language shown: `en` or `zh`. */
export function language() { return current; }

/** What the person chose, else null: the browser's is taken. */
export function chosenLanguage() { return localStorage.getItem(KEY); }

/**
 * Says what features bring, before the language is loaded.
 *
 * @param {{areas(role: string): string[], words(language: string): Object}} features
 */
export function giveTexts(features) { given = features; }

/** Loads the texts of a role's screens, once it is known who runs. */
export async function loadTexts(wanted) {
    if (role === wanted) return;
    role = wanted;
    await use(current);
}

/** Loads the texts of an area that not every visit needs; they come with the language from then on. */
export async function loadArea(area) {
    if (later.has(area)) return;
    const id = current;
    const module = await textsOf(id, area);
    if (id !== current) { await loadArea(area); return; }
    later.add(area);
    Object.assign(texts, ...Object.values(module));
}

/** Loads the language of the address (`?lang=`), of the person's choice, or of the browser. Before anything is drawn. */
export async function loadLanguage() {
    const wanted = [new URLSearchParams(location.search).get('lang'), chosenLanguage(), ...navigator.languages];
    const found = wanted.map((name) => known(name)).find(Boolean) ?? 'en';
    await use(found);
}

/** @param {string | null} id Null: the browser's. */
export async function setLanguage(id) {
    if (id) localStorage.setItem(KEY, id);
    else localStorage.removeItem(KEY);
    await use(known(id) ?? navigator.languages.map((name) => known(name)).find(Boolean) ?? 'en');
    for (const listener of listeners) listener();
}

/** Calls `listener` when another language is shown; returns what stops it. */
export function onLanguage(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

/**
 * The text of a key in the page's language.
 *
 * @param {string} key One of `i18n/en/*.js`.
 * @param {Object<string, any>} [values] For `{name}` in the text, or for the text's function.
 */
export function t(key, values = {}) {
    const text = texts[key];
    if (text === undefined) return key;
    if (typeof text === 'function') return decorate(text(values, format));
    return decorate(text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
}

/** Whether the catalogue has the key: for keys made from what a program answers. */
export function hasText(key) { return texts[key] !== undefined; }

/** For tests: passes every text of the catalogue, number and date through `change`, so that a text from elsewhere can be told apart. */
export function decorateTexts(change) {
    decorate = change;
    makeFormat = (id) => Object.fromEntries(Object.entries(formatter(id)).map(([name, words]) => [name, (...values) => change(words(...values))]));
    format = makeFormat(current);
}

/** An area's module in a language: of this folder, or of a feature's own where the area is an address, `/features/NAME/texts`. */
function textsOf(id, area) { return import(fileAddress(area.startsWith('/') ? `${area}/${id}.js` : `/i18n/${id}/${area}.js`)); }

function known(name) {
    const short = (name ?? '').toLowerCase().split('-')[0];
    return LANGUAGES.some(({ id }) => id === short) ? short : null;
}

async function use(id) {
    const areas = ['common', ...(role ? given.areas(role) : []), ...later];
    const modules = await Promise.all(areas.map((area) => textsOf(id, area)));
    // A screen may have brought others meanwhile.
    if ([...later].some((area) => !areas.includes(area))) { await use(id); return; }
    texts = Object.assign({}, given.words(id), ...modules.flatMap((module) => Object.values(module)));
    current = id;
    format = makeFormat(id);
    document.documentElement.lang = id === 'zh' ? 'zh-Hans' : 'en';
}
