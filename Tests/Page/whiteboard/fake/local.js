import { openClient as openFake } from '/fake/local.js';
import { install } from '/features/whiteboard/fake/board.js';

/** Served in place of `client/local.js`: the client of all tests, with the answers of the whiteboard. */
export function openClient() {
    const fake = openFake();
    install(fake, fake.scenario);
    return fake;
}
