import { button, emptyState, errorBanner, h, linkButton, relativeTime, safeText, segmented, skeleton, toast } from '../../kit/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { openReportsOf } from './open-reports.js';
import { change, hasMore, initial } from './reports-state.js';
import { suspend } from './person.js';
import { letter, trouble } from './users.js';

/** What people reported, with the message it is about, and nothing else of a conversation. */
export function reportsPart(context) { return new Reports(context); }

class Reports {
    element;
    #client;
    #life;
    #link;
    #store;
    #list = h('div', { class: 'stack close' }, skeleton(2, { height: 160 }));
    /** The cards by their reports, which stay while nothing of them changes. */
    #cards = new Map();

    constructor({ client, life, link }) {
        this.#link = link;
        this.#client = client;
        this.#life = life;
        this.#store = new Store({
            initial, change, run: doneBy(() => ({
                ask: (effect) => { this.#ask(effect); }, name: ({ people }) => { this.#name(people); }, recount: () => { openReportsOf(client).ask(); },
            })),
        });
        const parts = segmented({
            label: t('people.whichReports'), value: 'open', change: (part) => this.#store.send({ kind: 'parted', part }),
            options: [{ id: 'open', label: t('people.open') }, { id: 'closed', label: t('people.closed') }],
        });
        this.element = h('div', { class: 'stack close reports' }, parts, this.#list);
        this.#store.watch((state) => this.#draw(state));
        life.add(client.events('reset', () => this.shown()));
    }

    shown() { this.#store.send({ kind: 'asked' }); }

    async #ask({ turn, params }) {
        try {
            const { reports } = await this.#client.call('chat.reports', params, { signal: this.#life.signal });
            if (!this.#life.hasEnded) this.#store.send({ kind: 'page', turn, reports, before: params.before });
        } catch (error) {
            if (!this.#life.hasEnded) this.#store.send({ kind: 'failed', turn, error });
        }
    }

    /** One after the other: names are a help, and nothing waits for them. */
    async #name(people) {
        for (const user of people) {
            const name = await this.#client.call('accounts.show', { user }, { signal: this.#life.signal })
                .then((answer) => answer.user.nickname || answer.user.name, () => null);
            if (this.#life.hasEnded) return;
            if (name !== null) this.#store.send({ kind: 'named', user, name });
        }
    }

    #draw(state) {
        const { reports, error, part, shown } = state;
        if (reports === null) {
            this.#list.replaceChildren(error ? trouble(error, () => this.shown()) : skeleton(2, { height: 160 }));
            return;
        }
        const cards = new Map(reports.slice(0, shown).map((report) => [report.id, this.#card(report, state)]));
        this.#cards = cards;
        this.#list.replaceChildren(
            ...(error ? [errorBanner(error, { retry: () => this.shown() })] : []),
            ...(reports.length === 0 && !error ? [emptyState({ icon: 'shield-check', title: t(part === 'open' ? 'people.noReports' : 'people.noClosed'), text: t('people.noReportsText') })] : []),
            ...[...cards.values()].map(({ element }) => element),
            ...(hasMore(state) ? [button({ label: t('people.older'), press: () => this.#store.send({ kind: 'more' }) })] : []));
    }

    #card(report, { names }) {
        const key = `${names[report.reported]} ${names[report.reporter]} ${report.closedAt}`;
        const former = this.#cards.get(report.id);
        return former?.key === key ? former : { key, element: this.#made(report, names) };
    }

    #made(report, names) {
        const name = names[report.reported] ?? report.reported;
        const close = async () => {
            await this.#client.call('chat.closeReport', { id: report.id });
            this.#store.send({ kind: 'closed', id: report.id });
        };
        const suspended = () => suspend(this.#client, report.reported, name, () => this.#store.send({ kind: 'closed', id: report.id }),
            () => this.#client.call('chat.closeReport', { id: report.id }));
        return h('article', { class: 'card padded report' },
            h('div', { class: 'report-head' }, letter(name),
                h('div', { class: 'row-words' }, safeText(name, { limit: 64, tag: 'h2', class: 'card-title' }),
                    h('span', { class: 'row-detail' }, t('people.reported'), ' ', relativeTime(report.at)))),
            report.message !== undefined && h('blockquote', { class: 'report-message' }, safeText(report.message, { limit: 2000 })),
            h('div', null, h('div', { class: 'small soft' }, report.reporter ? [t('people.by'), ' ', safeText(names[report.reporter] ?? report.reporter, { limit: 64 })] : t('people.byNobody')),
                safeText(report.reason, { limit: 2000, tag: 'p', class: 'report-reason' })),
            h('div', { class: 'report-acts' },
                linkButton({ label: t('people.look'), icon: 'people', kind: 'quiet', href: this.#link('/people/users', report.reported) }),
                report.closedAt === undefined && button({ label: t('people.suspend'), icon: 'pause', press: suspended }),
                report.closedAt === undefined && button({ label: t('people.close'), icon: 'check', press: async () => { await close(); toast(t('people.closedNow')); } })));
    }
}
