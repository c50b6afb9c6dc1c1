import { confirm, errorToast, h, icon, openMenu, toast } from '../../kit/index.js';
import { pickByField } from '../../kit/pick.js';
import { t } from '../../i18n/index.js';

/** Bytes of a picture as a person has it. */
const MOST_BYTES = 25 * 1024 * 1024;

/**
 * The own picture, or the first letter of the name, as a button that changes it.
 *
 * @param {{client: import('../../client/client.js').Client, shown: string, user: string, avatar: string | null, changed: () => void}} options `avatar` is
 *   the key of the picture, empty for none, null where it is not known yet.
 */
export function faceOf({ client, shown, user, avatar, changed }) {
    const letter = h('span', { class: 'account-letter', aria: { hidden: 'true' }, data: { peer: '' } }, [...shown][0]?.toLocaleUpperCase() ?? '');
    if (avatar === null) return letter;
    const button = h('button', { type: 'button', class: 'account-face', title: t('account.face'), aria: { label: t('account.face') }, on: { click: () => {
        if (avatar) openMenu({ label: t('account.face'), anchor: button, items: menu });
        else choose(client, changed);
    } } }, letter, h('span', { class: 'account-face-mark' }, icon('camera', { size: 16 })));
    /** @type {import('../../kit/menu.js').MenuItem[]} */
    const menu = [
        { label: t('account.faceChange'), icon: 'camera', press: () => { choose(client, changed); } },
        { label: t('account.faceRemove'), icon: 'trash', kind: 'danger', press: () => { remove(client, changed); } },
    ];
    if (avatar) {
        // The key changes with the picture, and with it what the browser keeps.
        const image = h('img', { class: 'account-picture', alt: '', decoding: 'async', src: client.routes.address('chat/avatar', { user, of: avatar }) });
        image.addEventListener('error', () => image.remove());
        letter.append(image);
    }
    return button;
}

async function choose(client, changed) {
    const [file] = await pickByField({ accept: 'image/*' });
    if (!file) return;
    if (file.size > MOST_BYTES) { toast(t('account.faceTooLarge'), 'bad'); return; }
    try {
        const { file: token } = await client.routes.post('chat/attachments', { name: file.name }, file);
        await client.call('chat.setFace', { file: token });
    } catch (error) {
        if (error.detail?.reason === 'notAPicture') toast(t('account.faceNoPicture'), 'bad');
        else errorToast(error);
        return;
    }
    toast(t('account.faceChanged'));
    changed();
}

async function remove(client, changed) {
    const isDone = await confirm({ title: t('account.faceRemoveTitle'), text: t('account.faceRemoveText'), action: t('account.faceRemove'), work: () => client.call('chat.setFace', {}) });
    if (!isDone) return;
    toast(t('account.faceRemoved'));
    changed();
}
