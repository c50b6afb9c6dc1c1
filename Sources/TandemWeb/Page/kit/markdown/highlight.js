/**
 * Splits code into comments, strings, numbers, keywords and the rest. One regular expression a family of languages, read from where the
 * last match ended; every one of its ways takes at least a letter and is never tried twice, so the work grows with the length only.
 */

/** What is longer is shown without colours. */
const MOST = 65_536;

const C_STRINGS = '"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.)*\'?|\\x60[^\\x60]*\\x60?';
const NUMBERS = '\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d[\\d_]*)?(?:[eE][+-]?\\d+)?)\\w*';
const WORDS = '[A-Za-z_$@][\\w$-]{0,200}';
const C_COMMENTS = '\\/\\/[^\\n]*|\\/\\*(?:[^*]|\\*(?!\\/))*(?:\\*\\/)?';

/**
 * @typedef {{pattern: RegExp, words: Set<string>}} Family
 * @returns {Family}
 */
const family = (comments, strings, words, { word = '[A-Za-z_$@][\\w$]*' } = {}) => ({
    pattern: new RegExp(`(?<comment>${comments})|(?<string>${strings})|(?<number>${NUMBERS})|(?<word>${word})`, 'y'),
    words: new Set(words.split(' ')),
});

const C = family(C_COMMENTS, C_STRINGS, 'abstract any as asm assert async await bool boolean break byte case catch chan char class const continue crate debugger default defer delete do double dyn else enum export extends extension extern fallthrough false final finally float fn for foreach from func function get go goto guard if impl implements import in inout init inline instanceof int interface internal is let long loop map match mod module move mut mutable namespace native new nil null nullptr of open operator override package private protected protocol pub public range readonly ref register repeat return self set short signed sizeof some static struct subscript super switch template this throw throws trait true try type typealias typedef typeof undefined union unsafe unsigned use using val var virtual void volatile when where while with yield');
const HASH = family('#[^\\n]*', '"""(?:[^"]|"(?!""))*(?:""")?|\'\'\'(?:[^\']|\'(?!\'\'))*(?:\'\'\')?|"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.)*\'?', 'alias and as assert async await begin break case class continue def del do done echo elif else elsif end esac except exec exit export false fi finally for from function global if import in is lambda local module nil None nonlocal not null or pass raise readonly require rescue return self set shift source then true True False try unless until unset when while with yield sudo cd');
const SQL = family(`--[^\\n]*|${C_COMMENTS}`, '\'(?:[^\']|\'\')*\'?|"[^"\\n]*"?', 'select from where insert into values update set delete create table index drop alter add primary key foreign references not null unique default join left right inner outer full on as and or in is like between order by group having limit offset union all distinct case when then else end begin commit rollback transaction pragma with recursive exists count sum min max avg text integer real blob');
const JSON_LIKE = family('\\/\\/[^\\n]*', '"(?:[^"\\\\\\n]|\\\\.)*"?', 'true false null');
const MARKUP = family('<!--(?:[^-]|-(?!->))*(?:-->)?', '"[^"]*"?|\'[^\']*\'?', '', { word: '<\\/?[A-Za-z][\\w:-]*' });
const STYLE = family(C_COMMENTS, '"[^"\\n]*"?|\'[^\'\\n]*\'?', 'important media import keyframes supports layer container from to', { word: `[@!]?${WORDS}` });

/**
 * @param {string} names
 * @param {Family} found
 * @returns {[name: string, found: Family][]}
 */
const each = (names, found) => names.split(' ').map((name) => [name, found]);

const FAMILIES = new Map([
    ...each('js jsx mjs cjs ts tsx javascript typescript swift rust rs go golang java kotlin kt scala c h cc cpp hpp cxx c++ cs csharp objc objective-c m mm dart php zig proto groovy gradle solidity', C),
    ...each('py python rb ruby sh bash zsh fish shell console toml yaml yml ini conf make makefile dockerfile docker perl pl r elixir ex exs nix cmake properties env gitignore ps1 powershell', HASH),
    ...each('sql sqlite postgres postgresql mysql lua hs haskell ada', SQL),
    ...each('json jsonc json5 jsonl', JSON_LIKE),
    ...each('html xml svg xhtml vue svelte plist', MARKUP),
    ...each('css scss less', STYLE),
]);

/** The language of a file by its name, as `highlighted` takes it. */
export function languageOf(path) {
    const name = String(path ?? '').split(/[\\/]/).at(-1).toLowerCase();
    return name.includes('.') ? name.split('.').at(-1) : name;
}

/**
 * @param {string} text
 * @param {string} language
 * @returns {[kind: null | 'comment' | 'string' | 'number' | 'keyword', text: string][]} All of the text, in pieces.
 */
export function highlighted(text, language) {
    const found = FAMILIES.get(language);
    if (!found || text.length > MOST) return text ? [[null, text]] : [];
    const { pattern, words } = found;
    /** @type {[kind: null | 'comment' | 'string' | 'number' | 'keyword', text: string][]} */
    const pieces = [];
    let plain = '';
    let at = 0;
    while (at < text.length) {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (!match) {
            plain += text[at];
            at += 1;
            continue;
        }
        const { comment, string, number, word } = match.groups;
        const isKeyword = word !== undefined && (found === MARKUP || words.has(found === SQL ? word.toLowerCase() : word.replace(/^[@!]/, '')));
        const kind = comment !== undefined ? 'comment' : string !== undefined ? 'string' : number !== undefined ? 'number' : isKeyword ? 'keyword' : null;
        if (kind === null) {
            plain += match[0];
        } else {
            if (plain) pieces.push([null, plain]);
            plain = '';
            pieces.push([kind, match[0]]);
        }
        at += match[0].length;
    }
    if (plain) pieces.push([null, plain]);
    return pieces;
}
