import { ClientError } from './client.js';
import { LiveScreen, screenFrameOf } from './live-screen.js';
import { apiPath, clientError } from './local-http.js';

/**
 * Opens a live view of a display.
 *
 * @param {Object} client
 * @param {string} device
 * @param {import('./client.js').LiveScreenOptions} options
 * @returns {Promise<LiveScreen>}
 */
export function openScreen(client, device, { display, maxWidth, signal }) {
    const address = new URL(apiPath('screen/live', { device, display, maxWidth }), location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    const view = new LiveScreen({
        send: (picture, all) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ shown: picture, all })); },
        close: () => socket.close(),
    });
    return new Promise((resolve, reject) => {
        const giveUp = () => end({ error: new ClientError('cancelled') });
        const end = (how) => {
            signal?.removeEventListener('abort', giveUp);
            if (how.error) client.note(how.error);
            reject(how.error ?? new ClientError('refused'));
            view.ended(how);
            socket.close();
        };
        if (signal?.aborted) giveUp();
        else signal?.addEventListener('abort', giveUp);
        socket.onmessage = ({ data }) => {
            if (typeof data !== 'string') {
                const frame = screenFrameOf(new Uint8Array(data));
                if (frame) view.take(frame);
                else end({ error: new ClientError('internal') });
                return;
            }
            const message = JSON.parse(data);
            if (message.view) {
                try {
                    view.opened(message.view);
                    resolve(view);
                } catch (error) {
                    end({ error });
                }
            } else if (message.ended) {
                end({ reason: message.ended });
            } else if (message.error) {
                end({ error: clientError(message.error) });
            }
        };
        socket.onclose = () => end({ error: new ClientError('lost') });
    });
}
