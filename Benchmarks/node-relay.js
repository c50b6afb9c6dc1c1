// The peer of the relay benchmark: the least a relay on node-ws can do and still be one.
// Debian: apt install nodejs node-ws, then NODE_PATH=/usr/share/nodejs node node-relay.js
'use strict';
const { WebSocketServer } = require('ws');

const peers = new Map();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, maxPayload: 1 << 20 });

server.on('connection', (socket) => {
  socket.on('message', (data) => {
    let frame;
    try {
      frame = JSON.parse(data);
    } catch {
      return socket.send('{"type":"error","error":"Invalid message format"}');
    }
    if (frame.type === 'register') {
      socket.peerId = frame.peerId;
      peers.set(frame.peerId, socket);
      return socket.send(JSON.stringify({ type: 'registered', peerId: frame.peerId, serverTime: Date.now() }));
    }
    if (frame.type !== 'message') return;
    const target = peers.get(frame.to);
    if (target === undefined) {
      return socket.send(JSON.stringify({ type: 'peer-offline', peerId: frame.to, messageType: frame.type }));
    }
    target.send(JSON.stringify({
      type: 'message', from: socket.peerId, payload: frame.payload, timestamp: Date.now(),
    }));
  });
  socket.on('close', () => {
    if (peers.get(socket.peerId) === socket) peers.delete(socket.peerId);
  });
  socket.on('error', () => {});
});

server.on('listening', () => console.log(server.address().port));
