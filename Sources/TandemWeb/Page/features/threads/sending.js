import { errorToast, toast } from '../../kit/index.js';
import { ClientError } from '../../client/client.js';
import { t } from '../../i18n/index.js';

/** An agent of this computer's stops within this time; another program's is not stopped from here. */
const STOPS = 4000;

let count = 0;

/** What the person sent and what does not stand in the thread yet, as entries of the conversation. */
export class Sending {
    entries = [];

    /** @param {string} text @param {{name: string}[]} files @returns {string} The entry's key. */
    add(text, files) {
        count += 1;
        const key = `sending ${count}`;
        this.entries.push({ key, kind: 'sending', state: 'sending', text, files: files.map(({ name }) => name) });
        return key;
    }

    /** @param {'sent' | 'queued'} state */
    settle(key, state) { this.entries = this.entries.map((each) => (each.key === key ? { ...each, state } : each)); }

    remove(key) { this.entries = this.entries.filter((each) => each.key !== key); }

    /**
     * What was sent stands in the thread now.
     *
     * @param {Object[]} items
     * @param {boolean} areNew An agent may write a message down in other words: then the one that waited longest was meant.
     */
    arrived(items, areNew) {
        for (const { kind, text = '' } of items) {
            if (this.entries.length === 0) return;
            if (kind !== 'user') continue;
            const found = this.entries.findIndex((each) => text.includes(each.text.trim()));
            if (found >= 0 || areNew) this.entries = this.entries.toSpliced(Math.max(0, found), 1);
        }
    }
}

/** What the person's words and their stop do. */
export function posting({ threads, thread, life, transcript, refused, moved }) {
    const options = { signal: life.signal };
    return {
        send: async (text, attachments) => {
            const key = transcript.send(text, attachments);
            let told;
            try {
                told = await threads.post({ ...thread, text, ...(attachments.length > 0 && { attachments }) }, options);
            } catch (error) {
                transcript.takeBack(key);
                if (error.code === 'not-allowed') refused(error);
                throw error;
            }
            if (told?.id && told.source && (told.id !== thread.id || told.source !== thread.source)) { moved(told); return; }
            await transcript.settle(key, told?.delivery === 'queued' ? 'queued' : 'sent');
        },
        stop: async () => {
            try {
                await threads.cancel(thread, options);
                const before = transcript.rests;
                life.after(STOPS, () => { if (transcript.isRunning && transcript.rests === before) toast(t('threads.stillRuns'), 'info'); });
            } catch (error) {
                errorToast(ClientError.from(error));
            }
        },
    };
}
