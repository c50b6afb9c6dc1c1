import { ClientError } from '../client.js';

/** The computers of a phone as the control methods name and describe them. */
export class Paired {
    #phone;

    /** @param {any} phone Of `wire/phone.js`. */
    constructor(phone) { this.#phone = phone; }

    get records() { return this.#phone.computers(); }

    /**
     * The computer that a request is about: by its id or name, or the only one.
     *
     * @param {string | undefined | null} name
     */
    record(name) {
        const { records } = this;
        if (name === undefined || name === null) {
            if (records.length === 1) return records[0];
            throw records.length === 0
                ? new ClientError('not-found', 'No computer is paired with this phone.')
                : new ClientError('bad-request', 'Several computers are paired: say which one is meant.');
        }
        const found = records.find(({ id }) => id === name) ?? records.find((record) => nameOf(record) === name);
        if (!found) throw new ClientError('not-found', 'No such computer is paired with this phone.');
        return found;
    }

    /** What speaks with it. */
    computer(name) { return this.#phone.computer(this.record(name).id); }

    /** By which way it is reached; null where it is not. */
    path(id) {
        const computer = this.#phone.computer(id);
        return computer.state === 'ready' ? computer.path : null;
    }

    /** @returns {Control['devices.show']['answer']} */
    entry(record) {
        return {
            id: record.id, pcPeerId: record.id, name: nameOf(record), platform: record.platform ?? '', did: record.did, fingerprint: record.words,
            // A browser pairs sealed only.
            endToEnd: true, confirmed: record.isConfirmed !== false, skills: [], ownFingerprint: this.#phone.words, path: this.path(record.id),
            lanSignalingUrl: record.lan ?? null, relayUrl: record.relay ?? null, pairedAt: record.pairedAt, lastSeenAt: record.lastSeenAt ?? record.pairedAt,
            ...(record.rights && {
                allowed: record.rights, allowedAt: record.rightsAt ?? null, allowedEnds: record.ends ?? {}, asks: record.asks ?? {},
            }),
        };
    }
}

/** The name that the person gave it, else its own. */
export function nameOf({ label, name }) { return label || name || ''; }
