"""What is asked of every screen in every state."""

from axe_playwright_python.sync_playwright import Axe

AXE = Axe().axe_script

# A text is what a person reads or hears: text nodes, and the attributes that are shown or read out. What a peer sent carries data-peer.
TEXTS = """() => {
    const found = [];
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
    const isPeers = (element) => element.closest('[data-peer]') !== null;
    const hasWords = (text) => /\\p{L}/u.test(text);
    const unmarked = (text) => hasWords(text.replace(/⟦[^⟦⟧]*⟧/gu, ''));
    const flat = (text) => { let before; do { before = text; text = text.replace(/⟦((?:[^⟦⟧]*⟦[^⟦⟧]*⟧)+[^⟦⟧]*)⟧/gu, (_, inner) => '⟦' + inner.replace(/[⟦⟧]/gu, '') + '⟧'); } while (text !== before); return text; };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const element = node.parentElement;
        if (element.closest('script, style, title, textarea, [data-own-name]') || isPeers(element) || !isShown(element)) continue;
        if (unmarked(flat(node.data))) found.push(`${element.tagName.toLowerCase()}.${element.className}: ${node.data.trim().slice(0, 80)}`);
    }
    for (const element of document.body.querySelectorAll('*')) {
        if (isPeers(element) || !isShown(element)) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext']) {
            const text = element.getAttribute(name);
            if (text && unmarked(flat(text))) found.push(`${element.tagName.toLowerCase()}[${name}]: ${text.slice(0, 80)}`);
        }
    }
    return found;
}"""

# Takes the marks away again: what is left is drawn as a person sees it.
UNMARK = """() => {
    const plain = (text) => text.replace(/[⟦⟧]/gu, '');
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (/[⟦⟧]/u.test(walker.currentNode.data)) walker.currentNode.data = plain(walker.currentNode.data);
    for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) if (/[⟦⟧]/u.test(value)) element.setAttribute(name, plain(value));
    }
}"""

OVERFLOW = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.body.querySelectorAll('*')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > width + 1 && element.checkVisibility();
    });
    return wide.slice(0, 5).map((element) => `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className}`);
}"""

# A switch's target reaches beyond what is drawn of it; a hidden radio button's is its label.
TARGETS = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, label[for], [role=button], [tabindex="0"]')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) => !element.closest('[inert], .skip, .xterm') && !(element.matches('a') && element.closest('p, .inline')))
    .filter((element) => !element.matches('.switch, input[type=radio], input[type=file], input[type=checkbox]'))
    .filter((element) => !(element.matches('label') && !element.closest('.segmented')))
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([element, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
    .map(([element, box]) => `${element.tagName.toLowerCase()}.${element.className} ${Math.round(box.width)}×${Math.round(box.height)}: `
        + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40))"""

# Writes down in `walk` what takes the focus, and null where the page loses it. Asking after every key would take as long again as the keys do.
WALK = """() => {
    document.activeElement?.blur();
    window.walk = [];
    window.walked = new Set();
    window.walkName = (element) => `${element.tagName.toLowerCase()}.${element.className}: ${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}`;
    const seen = (element) => {
        const label = element.matches('input[type=radio]') ? document.querySelector(`label[for="${element.id}"]`) : null;
        const style = getComputedStyle(label ?? element);
        element.dataset.walked ??= String(document.querySelectorAll('[data-walked]').length);
        const what = window.walkName(element);
        window.walked.add(what);
        return {
            id: element.dataset.walked,
            what,
            isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
        };
    };
    document.addEventListener('focusin', (event) => window.walk.push(seen(event.target)), true);
    window.addEventListener('blur', () => window.walk.push(null));
}"""

UNREACHED = """() => [...document.querySelectorAll('a[href], button, input, select, textarea')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0)
    .filter((element) => !element.closest('[inert]') && (!document.querySelector('dialog:modal') || element.closest('dialog:modal')))
    .filter((element) => !element.matches('input[type=radio]:not(:checked)') && !element.closest('tandem-virtual-list, .xterm'))
    .filter((element) => element.dataset.walked === undefined)
    .map((element) => ({ element, what: window.walkName(element) }))
    // A conversation's rows are made anew where it is scrolled back to: one that was reached before has another element then.
    .filter(({ element, what }) => !(element.closest('.flow') && window.walked.has(what)))
    .map(({ what }) => what)"""

SHIFTS = """() => new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => { for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value; });
    observer.observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => { observer.disconnect(); resolve(sum); }, 50);
})"""


# A dialog that is still fading in has the colours of neither its beginning nor its end. Endless animations (a spinner) are left to run.
AT_REST = """() => Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))"""


def axe(page, only=None):
    """What axe finds, one line each, once every animation that ends has ended."""
    page.evaluate(AT_REST)
    options = {"resultTypes": ["violations"], "preload": False}
    if only:
        options["runOnly"] = {"type": "rule", "values": only}
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(AXE)
    found = page.evaluate("(options) => axe.run(options).then((results) => results.violations)", options)
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]]


def untranslated(page):
    return page.evaluate(TEXTS)


def unmark(page):
    page.evaluate(UNMARK)


def overflowing(page):
    return page.evaluate(OVERFLOW)


def small_targets(page):
    return page.evaluate(TARGETS)


def shifts(page):
    return page.evaluate(SHIFTS)


def keyboard_walk(page, limit=400):
    """Walks by Tab until it comes round: what shows no focus, and what is never reached."""
    problems, seen, rounds = [], set(), 0
    page.evaluate(WALK)
    for _ in range(0, limit, 8):
        for _ in range(8):
            page.keyboard.press("Tab")
        for focused in page.evaluate("walk.splice(0)"):
            if focused is None:
                # The walk begins in the middle where something had the focus, so that it may take a second round.
                rounds += bool(seen)
            elif focused["id"] not in seen:
                seen.add(focused["id"])
                if not focused["isMarked"]:
                    problems.append(f"no visible focus: {focused['what']}")
        # What was drawn behind the focus, because the walk itself scrolls, is reached a round later, or some on a busy machine.
        if rounds > 6 or rounds > 0 and not page.evaluate(UNREACHED):
            break
    return problems + [f"not reached by Tab: {each}" for each in page.evaluate(UNREACHED)]
