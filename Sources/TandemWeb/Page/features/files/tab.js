import { h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { transfersOf } from './transfers/transfers.js';
import { followRight, mayUse } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';
import { FileBrowser } from './browser.js';
import { transfersPanel } from './panel.js';

/** The files of a computer: the folder of the address (`?path=`), or what was found in it (`&find=`), or a file of it (`&view=`). */
export async function filesTab({ client, computer, device, life, route, go, link, badge }) {
    const transfers = transfersOf(client);
    transfers.begin();
    const count = () => badge(transfers.jobs.filter((job) => !job.isOver).length, t('files.transfers'));
    life.add(transfers.onChange(count));
    count();
    const browser = new FileBrowser({
        computer, device, life, transfers,
        address: (query) => link('/computers', computer.id, 'files', query),
        go,
        // What was allowed may be another by now than when the tab was opened.
        mayWrite: async () => mayUse(await client.devices.show(device.id).catch(() => device), 'file.write') !== false,
        trouble: (error, retry) => troubleOf(error, { client, device, what: 'files', right: 'file.read', retry }),
    });
    const element = h('div', { class: 'files-tab' }, browser.element, transfersPanel({ transfers, life }));
    // What was refused or out of reach comes back by itself.
    life.add(computer.reachability((path) => { if (path) browser.again(); }));
    followRight({ client, device, life }, 'file.read', { changed: () => browser.again(), lost: (error) => browser.fail(error) });
    browser.show(route.query);
    return { element, update: (next) => { browser.show(next.query); return true; } };
}
