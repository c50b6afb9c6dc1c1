import { button, card, errorBanner, errorText, h, spinner, switchRow, textField } from '../../kit/index.js';
import { viewfinder } from '../../kit/camera.js';
import { fileButton } from '../../kit/choose.js';
import { takesPictures } from '../../kit/drop.js';
import { chatOf } from '../../client/chat.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { invitation } from './invite.js';
import { standingOf } from './standing.js';

/** A picture with a code has at most so many bytes. */
const LARGEST = 8 << 20;

/** How a person is added: by name or link, or by the code on their screen; and the own code for them. */
export function addScreen({ client, life, link, go }) {
    const [chat, standing] = [chatOf(client), standingOf(client)];
    const open = async (person) => {
        const row = await chat.open(person, { signal: life.signal });
        standing.take(row);
        go(link('/chats', row.id));
    };
    // A row that was added is on the list at once.
    standing.use(life, () => {});
    return {
        title: t('chat.add'), back: link('/chats'),
        element: h('div', { class: 'stack chat-add' }, byName(open), byCode({ client, life, open }), invitation({ client, chat, life })),
    };
}

function byName(open) {
    const enter = async () => {
        const person = field.value.trim();
        if (!person) { field.fail(t('chat.nameMissing')); return; }
        try {
            await open(person);
        } catch (error) {
            if (error.code !== 'cancelled') field.fail(error.code === 'not-found' ? t('chat.nobodyFound') : errorText(error));
        }
    };
    const field = textField({ label: t('chat.nameOrLink'), hint: t('chat.nameHint'), attributes: { maxLength: 2048, autocapitalize: 'none' }, enter });
    return card({ title: t('chat.byName'), icon: 'search' }, h('div', { class: 'add-line' }, field, button({ label: t('chat.open'), kind: 'primary', press: enter })));
}

/** The code of another person: by camera, from a picture that is chosen, dropped or pasted. */
function byCode({ client, life, open }) {
    const place = h('div', { class: 'add-code' });
    let own = null;
    const next = () => {
        own?.end();
        own = new Life(life);
        return own;
    };
    const idle = (...notes) => {
        next();
        place.replaceChildren(...notes, h('p', { class: 'soft' }, t('chat.codeText')), h('div', { class: 'add-choices' },
            button({ label: t('chat.openCamera'), icon: 'camera', kind: 'primary', press: camera }), fileButton({ label: t('chat.choosePicture'), icon: 'image', accept: 'image/*', take: picture })));
    };
    const found = async (text) => {
        const mine = next();
        place.replaceChildren(h('div', { class: 'add-wait' }, spinner({ size: 26, label: t('common.loading') })));
        try {
            await open(text);
        } catch (error) {
            if (!mine.hasEnded) idle(errorBanner(error, { text: error.code === 'bad-request' || error.code === 'not-found' ? t('chat.notACode') : undefined }));
        }
    };
    const failed = (error) => { idle(errorBanner(error, { text: t(error.reason ? `chat.camera.${error.reason}` : 'chat.pictureUnread') })); };
    async function camera() {
        const mine = next();
        const finder = viewfinder({ label: t('chat.viewfinder'), read: (frame) => client.pairing.read(frame), found, failed, signal: mine.signal });
        const extras = h('div', null);
        place.replaceChildren(finder, extras, button({ label: t('common.cancel'), press: () => idle() }));
        try {
            const { canLight } = await finder.start();
            if (canLight) extras.append(switchRow({ label: t('chat.light'), on: false, change: (on) => finder.light(on) }));
        } catch (error) {
            if (!mine.hasEnded) failed(error);
        }
    }
    async function picture(file) {
        const mine = next();
        try {
            const text = file.size > LARGEST ? null : await client.pairing.read(file);
            if (mine.hasEnded) return;
            if (text) await found(text);
            else idle(errorBanner({ code: 'bad-request' }, { text: t('chat.pictureUnread') }));
        } catch (error) {
            if (!mine.hasEnded) failed(error);
        }
    }
    const element = card({ title: t('chat.byCode'), icon: 'camera' }, place);
    element.classList.add('way');
    takesPictures(element, { take: picture, signal: life.signal });
    idle();
    return element;
}
