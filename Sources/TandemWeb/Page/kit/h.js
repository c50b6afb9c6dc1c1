/**
 * What may stand in an element; null, undefined and booleans are left out.
 *
 * @typedef {Node | string | number | boolean | null | undefined} Leaf
 * @typedef {Leaf | (Leaf | (Leaf | Leaf[])[])[]} Child
 */

/**
 * Makes an element. Text is set as text: nothing that is passed here is ever read as HTML.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Object<string, any> | null} [props] `class`, `on: {click: fn}`, `data: {id: …}`, `aria: {label: …}`, `vars: {'--x': …}`;
 *   any other name is the element's property where it has one, else its attribute (true: present, null and false: absent).
 * @param {...(Child | Child[])} children
 * @returns {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement}
 */
export function h(tag, props, ...children) {
    return fill(document.createElement(tag), props, children);
}

/**
 * Gives an element members of its own, for those who hold it.
 *
 * @template {Element} Made
 * @template Members
 * @param {Made} element
 * @param {Members} members
 * @returns {Made & Members}
 */
export function part(element, members) {
    /** @type {any} */
    const made = Object.defineProperties(element, Object.getOwnPropertyDescriptors(members));
    return made;
}

/**
 * The first element below another that a selector names. All but SVG, for which there is `querySelector`, is HTML here.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function find(root, selector) { return root.querySelector(selector); }

/**
 * All of them.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function findAll(root, selector) {
    /** @type {NodeListOf<HTMLElement>} */
    const found = root.querySelectorAll(selector);
    return [...found];
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The same for SVG, where every name is an attribute.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Object<string, any> | null} [attributes]
 * @param {...Child} children
 */
export function svg(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value !== null && value !== false && value !== undefined) element.setAttribute(name, String(value));
    }
    append(element, children);
    return element;
}

function fill(element, props, children) {
    for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
    append(element, children);
    return element;
}

function set(element, name, value) {
    if (value === undefined || value === null) return;
    switch (name) {
        case 'class': element.className = Array.isArray(value) ? value.filter(Boolean).join(' ') : value; break;
        case 'on': for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener); break;
        case 'data': Object.assign(element.dataset, value); break;
        case 'aria': for (const [key, word] of Object.entries(value)) setARIA(element, key, word); break;
        case 'vars': for (const [key, word] of Object.entries(value)) element.style.setProperty(key, String(word)); break;
        default:
            if (name in element) element[name] = value;
            else if (value === true) element.setAttribute(name, '');
            else if (value !== false) element.setAttribute(name, String(value));
    }
}

function setARIA(element, name, value) {
    if (value === null || value === undefined) element.removeAttribute(`aria-${name}`);
    else element.setAttribute(`aria-${name}`, String(value));
}

function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false || child === true) continue;
        element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
}

let counter = 0;

/** An id for `for`, `aria-labelledby` and the like. */
export function uniqueId(prefix) {
    counter += 1;
    return `${prefix}-${counter}`;
}
