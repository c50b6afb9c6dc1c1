import { hours, minutes } from './common.js';

/** A patch in the unified form. Line by line: the tests' server leaves out indentation, as the program does. */
export const PATCH = [
    'diff --git a/Sources/Relay/Backoff.swift b/Sources/Relay/Backoff.swift',
    '--- a/Sources/Relay/Backoff.swift',
    '+++ b/Sources/Relay/Backoff.swift',
    '@@ -12,11 +12,14 @@ struct Backoff {',
    '     /// The wait before the next try.',
    '     var wait: Duration',
    ' ',
    '-    mutating func next() -> Duration {',
    '-        wait *= 2',
    '-        return min(wait, longest)',
    '+    mutating func next(random: inout some RandomNumberGenerator) -> Duration {',
    '+        defer { wait = min(wait * 2, longest) }',
    '+        // Not all phones at the same moment.',
    '+        return wait * Double.random(in: 0.8...1.2, using: &random)',
    '     }',
    ' ',
    '+    mutating func reset() { wait = shortest }',
    '+',
    '     let longest: Duration = .seconds(30)',
    ' }',
    '',
].join('\n');

export const CODEX_PATCH = [
    '*** Begin Patch',
    '*** Add File: Tests/RelayTests/BackoffTests.swift',
    '+import Testing',
    '+',
    '+@Test func waitsAreSpread() {',
    '+    var backoff = Backoff(wait: .seconds(1))',
    '+    #expect(backoff.next() != backoff.next())',
    '+}',
    '*** Update File: Package.swift',
    '@@ targets: [',
    '     .target(name: "Relay"),',
    '-    .testTarget(name: "RelayTests"),',
    '+    .testTarget(name: "RelayTests", dependencies: ["Relay"]),',
    ' ]',
    '*** End Patch',
].join('\n');

export const ANSWER = [
    'The relay reconnected **in step**: every phone waited the same time, so a restart of the hub brought all of them back at once. It now spreads them.',
    '',
    '### What I changed',
    '',
    '1. \x60Backoff.next()\x60 takes a random generator and spreads each wait by ±20 %.',
    '2. It is reset once a connection has lasted for ten seconds, see [the notes on backoff](https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/).',
    '3. Tests cover the bounds:',
    '   - never below 80 % of the wait,',
    '   - never above \x60longest\x60.',
    '',
    '| phones | before | now |',
    '|:--|--:|--:|',
    '| 10 | 40 ms | 210 ms |',
    '| 1,000 | 3.1 s | 0.9 s |',
    '| 10,000 | 41 s | 2.4 s |',
    '',
    '\x60\x60\x60swift',
    'mutating func next(random: inout some RandomNumberGenerator) -> Duration {',
    '    defer { wait = min(wait * 2, longest) }',
    '    return wait * Double.random(in: 0.8...1.2, using: &random) // spread',
    '}',
    '\x60\x60\x60',
    '',
    '> The hub itself needs no change: it only accepts.',
    '',
    '- [x] unit tests',
    '- [x] the flood of 10,000 phones',
    '- [ ] a run on the slow machine',
    '',
    'Shall I run it there too?',
].join('\n');

export const OUTPUT = [
    '[1/3] Compiling Relay Backoff.swift', '[2/3] Compiling RelayTests BackoffTests.swift', '[3/3] Linking tandemPackageTests.xctest', 'Build complete! (14.21s)',
    ...Array.from({ length: 60 }, (_, at) => `✔ Test "waits are spread, ${at + 1}" passed after 0.00${at % 10} seconds.`),
    '✔ Test run with 60 tests passed after 0.412 seconds.',
].join('\n');

/** What stands in the main thread, newest last; `ago` before now. */
export const MAIN = [
    { ago: hours(26), kind: 'user', text: 'The hub is slow after a restart. Can you find out why?' },
    { ago: hours(26) - minutes(1), kind: 'reasoning', text: '**Looking at the relay**\n\nThe person says it is slow after a restart: probably all phones come back at once. I look at how they wait.' },
    { ago: hours(26) - minutes(2), kind: 'call', call_id: 'c1', name: 'Grep', text: '{"pattern":"reconnect","path":"Sources"}' },
    { ago: hours(26) - minutes(2), kind: 'output', call_id: 'c1', outcome: 'ok', text: 'Sources/Relay/Backoff.swift\nSources/Relay/Connection.swift' },
    { ago: hours(26) - minutes(3), kind: 'agent', text: 'All phones wait the same time and come back **together**. I would spread them. Shall I?' },
    { ago: hours(2), kind: 'user', text: 'Yes please. Here is how it looks:' },
    { ago: hours(2), kind: 'image', origin: 'user', type: 'image/png', bytes: 184_320 },
    {
        ago: hours(2) - minutes(1), kind: 'plan', call_id: 'c2', steps: [
            { text: 'Spread the waits by a fifth', state: 'done' }, { text: 'Reset after ten seconds of connection', state: 'done' },
            { text: 'Run the flood of 10,000 phones', state: 'running' }, { text: 'Write the figures down', state: 'pending' },
        ],
    },
    { ago: hours(2) - minutes(2), kind: 'change', call_id: 'c3', files: [{ path: 'Sources/Relay/Backoff.swift', kind: 'updated' }], text: PATCH, outcome: 'ok' },
    { ago: hours(2) - minutes(3), kind: 'change', call_id: 'c4', files: [{ path: 'Tests/RelayTests/BackoffTests.swift', kind: 'added' }, { path: 'Package.swift', kind: 'updated' }], text: CODEX_PATCH, outcome: 'ok' },
    { ago: hours(2) - minutes(4), kind: 'call', call_id: 'c5', name: 'shell', text: '{"command":["bash","-lc","swift test --filter BackoffTests 2>&1 | tail -80"],"workdir":"/home/ada/src/tandem"}' },
    { ago: hours(2) - minutes(5), kind: 'output', call_id: 'c5', outcome: 'ok', code: 0, text: OUTPUT, is_cut: true, length: 48_200 },
    { ago: hours(2) - minutes(6), kind: 'call', call_id: 'c6', name: 'shell', text: '{"command":["bash","-lc","bin/flood --phones 10000"]}' },
    { ago: hours(2) - minutes(8), kind: 'output', call_id: 'c6', outcome: 'failed', code: 137, text: '\u001b[31mKilled\u001b[0m: out of memory\n' },
    { ago: hours(2) - minutes(8), kind: 'notice', notice: 'error', text: 'stream disconnected before completion: error sending request' },
    { ago: hours(2) - minutes(9), kind: 'summary', text: 'The relay’s phones reconnected in step. The waits are spread now, tests pass, and the flood needs more memory.' },
    { ago: hours(2) - minutes(10), kind: 'agent', text: ANSWER, folded: 1 },
    { ago: minutes(40), kind: 'unknown', type: 'ghost_snapshot' },
    { ago: minutes(4), kind: 'user', text: 'Go on, with less memory.' },
    { ago: minutes(3), kind: 'call', call_id: 'c7', name: 'shell', text: '{"command":["bash","-lc","bin/flood --phones 10000 --frugal"]}' },
];

const MARKUP = '"\'><img data-xss src=/xss onerror=__xss()><script data-xss>__xss()</script>';
const NASTY = `${MARKUP}\u202egnp.exe\u200b\u001b]0;title\u0007\u001b[31mred\u001b[2J`;

/** What an agent could write to mislead. */
export const HOSTILE = [
    { kind: 'user', text: NASTY },
    { kind: 'agent', text: `# ${MARKUP}\n\n[x](javascript:__xss()) [y](data:text/html,${MARKUP}) ![p](http://evil.test/p.png) <a href="javascript:__xss()">z</a> [mail](mailto:a@b.c) [safe](https://example.org/a"onmouseover="x)\n\n| ${MARKUP} |\n|--|\n| \u202eabc |\n\n\`\`\`html\n${MARKUP}\n\`\`\`\n\n${'> '.repeat(60)}deep\n\n${'- '.repeat(60)}deep\n\n${'*'.repeat(3000)}${'['.repeat(3000)}` },
    { kind: 'agent', text: 'W'.repeat(1_000_000) },
    { kind: 'reasoning', text: NASTY },
    { kind: 'call', call_id: NASTY, name: NASTY, text: JSON.stringify({ command: ['bash', '-lc', NASTY] }) },
    { kind: 'output', call_id: NASTY, outcome: NASTY, code: NASTY, text: `${NASTY}\n${'x'.repeat(1_000_000)}` },
    { kind: 'change', call_id: 'h2', files: [{ path: NASTY, kind: NASTY, to: NASTY }], text: `--- a/${NASTY}\n+++ b/${MARKUP}\n@@ -1 +1 @@ ${MARKUP}\n-${MARKUP}\n+${NASTY}\n`, outcome: 'ok' },
    { kind: 'plan', steps: [{ text: NASTY, state: NASTY }, { text: NASTY, state: 'done' }] },
    { kind: 'image', type: NASTY, bytes: 12, origin: NASTY },
    { kind: 'notice', notice: NASTY, text: NASTY },
    { kind: 'unknown', type: NASTY },
    { kind: NASTY, text: NASTY },
    { kind: 'user' },
    { kind: 'agent', text: null },
    { kind: 'call', name: null, text: 5 },
];
export { MARKUP, NASTY };
