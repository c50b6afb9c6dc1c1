// The peer that the relay is measured beside: what one would write in an afternoon on Node and the ws package.
// NODE_PATH=/usr/share/nodejs node Benchmarks/node-relay.js; prints {"port":N} and ends when it is told to.
"use strict";

const { WebSocketServer } = require("ws");

const sockets = new Map();
const server = new WebSocketServer({
  host: "127.0.0.1",
  port: 0,
  maxPayload: 1024 * 1024,
  perMessageDeflate: false,
  clientTracking: false,
});

function answer(socket, frame) {
  socket.send(JSON.stringify(frame));
}

function register(socket, frame) {
  if (typeof frame.peerId !== "string" || frame.peerId === "") {
    return answer(socket, { type: "error", error: "peerId is required", timestamp: Date.now() });
  }
  const earlier = sockets.get(frame.peerId);
  if (earlier !== undefined && earlier !== socket) earlier.close();
  socket.peerId = frame.peerId;
  sockets.set(frame.peerId, socket);
  answer(socket, { type: "registered", peerId: frame.peerId, serverTime: Date.now() });
}

function forward(socket, frame) {
  if (typeof frame.to !== "string" || !frame.payload) {
    return answer(socket, { type: "error", error: 'Missing "to" or "payload" field', timestamp: Date.now() });
  }
  const target = sockets.get(frame.to);
  if (target === undefined) {
    return answer(socket, { type: "peer-offline", peerId: frame.to, timestamp: Date.now() });
  }
  answer(target, { type: "message", from: socket.peerId, payload: frame.payload, timestamp: Date.now() });
}

function receive(socket, data) {
  let frame;
  try {
    frame = JSON.parse(data);
  } catch {
    return answer(socket, { type: "error", error: "Invalid message format", timestamp: Date.now() });
  }
  switch (frame?.type) {
    case "message":
      return forward(socket, frame);
    case "register":
      return register(socket, frame);
    default:
      answer(socket, { type: "error", error: `Unknown message type: ${frame?.type}`, timestamp: Date.now() });
  }
}

server.on("connection", (socket) => {
  socket.on("message", (data) => receive(socket, data));
  socket.on("close", () => {
    if (sockets.get(socket.peerId) === socket) sockets.delete(socket.peerId);
  });
  socket.on("error", () => socket.terminate());
});

server.on("listening", () => console.log(JSON.stringify({ port: server.address().port })));
process.on("SIGTERM", () => process.exit(0));
