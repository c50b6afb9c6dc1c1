import { decorateTexts } from '/i18n/index.js';
import { install } from '/fake/areas.js';
import { FakeClient } from '/fake/fake.js';
import { selves } from '/fake/common.js';

const query = new URLSearchParams(location.search);

// Before the first text is asked for.
if (query.get('texts') === 'marked') decorateTexts((text) => `⟦${text}⟧`);

/**
 * Served in place of `client/local.js`. The address says what is played: `?role=phone&scenario=empty&latency=300`; a scenario is one or
 * several words, each of which areas may know (`empty`, `offline`, `refused`, `slow`, …). `?texts=marked` puts every text of the
 * catalogue into ⟦⟧.
 */
export function openClient() {
    const scenario = new Set((query.get('scenario') ?? '').split(/[ ,+]/).filter(Boolean));
    const fake = new FakeClient({
        self: selves[query.get('role') ?? 'phone'], scenario,
        latency: scenario.has('never') ? Infinity : Number(query.get('latency') ?? 0),
    });
    install(fake, scenario);
    window.fake = fake;
    return fake;
}
