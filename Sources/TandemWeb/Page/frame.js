import { giveTexts, loadLanguage, loadTexts, onLanguage, t } from './i18n/index.js';
import { closeDialogs, errorBanner } from './kit/first.js';
import { Chrome } from './chrome.js';
import { Life } from './life.js';
import { Router, go, link, match } from './router.js';
import { expiredPage, gonePage, signedOutPage } from './outside.js';
import { applyTheme } from './theme.js';

const ROLE_KEY = 'tandem.role';

/**
 * Puts the page together: the language, the client, the frame around the screens, and the screen of the address.
 *
 * @param {import('./client/client.js').Client} client
 * @param {import('./kit/feature.js').Features} features
 * @returns {Promise<() => void>} Once it is known who runs: ends all of it, and leaves what is shown.
 */
export async function showPage(client, features) {
    let isExpired = location.hash.startsWith('#/sign-in/expired');
    // Who runs is asked while the texts are fetched.
    const started = client.start();
    applyTheme();
    giveTexts(features);
    await loadLanguage();
    let inside = null;
    const draw = async () => {
        if (client.self && !inside) {
            // Together with the texts, not behind them. Whether it can be had is said where it is shown.
            const table = features.routes(client.role);
            (match(table)?.entry ?? table[0]).load().catch(() => {});
            await loadTexts(client.role);
        }
        // What it is now: something may have happened meanwhile.
        const { state } = client;
        if (state === 'signed-out') {
            inside?.end();
            inside = null;
            closeDialogs();
            put(isExpired ? expiredPage(client.role) : signedOutPage(client.role));
            forgetPerson(features).catch(() => {});
        } else if (state === 'gone' && !inside) {
            put(gonePage(client, localStorage.getItem(ROLE_KEY)));
        } else if (client.self) {
            // Who is signed in all the same does not need the link.
            if (isExpired) history.replaceState(null, '', '#/');
            isExpired = false;
            inside ??= enter(client, features);
            inside.chrome.state(state);
        }
    };
    const stops = [client.onState(draw), onLanguage(() => {
        if (inside) inside.redraw();
        else draw();
    })];
    draw();
    await started;
    return () => {
        for (const stop of stops) stop();
        inside?.end();
    };
}

/** Who is signed out leaves nothing behind that others at this browser could read, and is told nothing here any more. */
async function forgetPerson(features) {
    document.title = t('common.app');
    await features.signOut();
}

/** Puts what is shown in the place of what was. */
export function put(element) {
    const place = document.getElementById('app');
    place.replaceChildren(element);
    place.removeAttribute('aria-busy');
}

/** The page of a role, once it is known who runs. */
function enter(client, features) {
    localStorage.setItem(ROLE_KEY, client.role);
    const table = features.routes(client.role);
    const { tabs } = features;
    const chrome = new Chrome({ client, table });
    const router = new Router({
        table,
        home: `#${table[0].path}`,
        make: (route, life) => makeScreen({ client, route, life, go, link, chrome, tabs, parts: (place) => features.parts(place, { client, life }) }),
        show: (screen, route) => chrome.show(screen, route),
    });
    put(chrome.element);
    router.draw();
    const life = new Life();
    // After the first screen, which matters more than a number on the navigation.
    features.begin(client.role, { client, chrome, life });
    return {
        chrome,
        end: () => { life.end(); router.end(); },
        redraw: () => { chrome.drawNavigation(); router.redraw(); },
    };
}

async function makeScreen(context) {
    try {
        const make = await context.route.entry.load();
        return await make(context);
    } catch (error) {
        console.error(error);
        return { title: t('failed.title'), element: errorBanner(error, { retry: () => location.reload() }) };
    }
}
