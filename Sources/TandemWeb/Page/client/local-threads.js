import { apiPath } from './local-http.js';

/**
 * The connection by which the events of threads come, as JSON texts. It does not come back by itself.
 *
 * @param {string | null} device Null: this computer's own.
 * @param {{onOpen: () => void, onMessage: (message: any) => void, onClose: () => void}} listeners
 * @returns {{send(message: Object): void, close(): void}}
 */
export function openThreadEvents(device, { onOpen, onMessage, onClose }) {
    const address = new URL(apiPath('threads', { device }), location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.onopen = onOpen;
    socket.onmessage = ({ data }) => {
        if (typeof data === 'string') onMessage(parsed(data));
    };
    socket.onclose = onClose;
    return {
        send: (message) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); },
        close: () => { socket.onclose = null; socket.close(); },
    };
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}
