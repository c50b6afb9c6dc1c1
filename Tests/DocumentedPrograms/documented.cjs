#!/usr/bin/env node
// A computer and a phone that speak only the documented wire, written from the documents alone: for bin/smoke and for trying by hand.
//
//   documented.cjs computer SERVER ID            prints its pairing code, then answers commands until it is killed
//   documented.cjs phone SERVER DID CODE         pairs by the code, then sends each line of its input, METHOD {PARAMS}
//
// What happens is printed as one JSON object a line.
"use strict";
const { WebSocket } = require("ws");

const [, , role, server, id, code] = process.argv;
const print = (value) => console.log(JSON.stringify(value));
const fail = (reason) => {
    print({ failed: String(reason) });
    process.exit(1);
};
if (!["computer", "phone"].includes(role) || !server || !id || (role === "phone" && !code)) {
    fail("usage: documented.cjs computer SERVER ID | phone SERVER DID CODE");
}

const socket = new WebSocket(server);
const send = (frame) => socket.send(JSON.stringify(frame));
const say = (to, payload) => send({ type: "message", to, payload });
socket.on("error", fail);
socket.on("close", (reason) => fail(`closed with ${reason}`));
socket.on("open", () => send({ type: "register", peerId: id, deviceType: role === "phone" ? "mobile" : "desktop" }));

const computer = {
    started() {
        print({
            code: JSON.stringify({
                type: "desktop-pairing", code: "482915", pcPeerId: id,
                deviceInfo: { name: "old-pc", platform: "linux", version: "5.0.3" },
                timestamp: Date.now(), signalingUrl: process.env.RELAY ? null : server, relayUrl: process.env.RELAY || undefined,
            }),
        });
    },
    received(from, payload) {
        if (payload.type === "pair-ack") return print({ paired: payload.mobileDid });
        if (payload.type !== "chainlesschain:command:request") return;
        const { id: request, method, params } = payload.payload;
        print({ asked: method });
        const answer = (result) => say(from, { type: "chainlesschain:command:response", payload: { id: request, result } });
        const event = (members) => say(from, { type: "chainlesschain:event", payload: members });
        switch (method) {
            case "system.ping": return answer({ pong: true, ts: Date.now(), version: "5.0.3" });
            case "clipboard.get": return answer({ content: "from the old computer", type: "text" });
            case "terminal.create": return answer({ sessionId: "s-1", pid: 1, shell: "/bin/sh" });
            case "terminal.list": return answer({ sessions: [{ id: "s-1", shell: "/bin/sh", alive: true, lastSeq: 0 }] });
            case "terminal.history": return answer({ chunks: [], truncated: false });
            case "terminal.stdin":
                answer({ ok: true });
                event({ event: "terminal.stdout", sessionId: "s-1", data: params.data, seq: (computer.seq = (computer.seq || 0) + 1) });
                if (params.data.includes("exit")) event({ event: "terminal.exit", sessionId: "s-1", exitCode: 3, signal: null });
                return;
            default:
                say(from, { type: "chainlesschain:command:response", payload: { id: request, error: `Unknown method: ${method}` } });
        }
    },
};

const phone = {
    next: 1,
    started() {
        this.qr = JSON.parse(code);
        say(this.qr.pcPeerId, {
            type: "pair-ack", pairingCode: this.qr.code, mobileDid: id,
            deviceInfo: { deviceId: "b1d6c3a2", name: "Old phone", platform: "ios" }, timestamp: Date.now() + 0.5,
        });
    },
    received(from, payload) {
        if (payload.type === "pairing:reject") return fail(payload.reason);
        if (payload.type === "pairing:confirmation") {
            print({ paired: payload.pcPeerId });
            return this.read();
        }
        if (payload.type === "chainlesschain:command:response") return print({ answer: payload.payload });
        if (payload.type === "chainlesschain:event") return print({ event: payload.payload });
    },
    read() {
        require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
            const [, method, params] = line.match(/^(\S+)\s*(.*)$/) || [];
            if (!method) return;
            say(this.qr.pcPeerId, {
                type: "chainlesschain:command:request",
                payload: { id: this.next++, method, params: JSON.parse(params || "{}"), auth: { mobileDid: id } },
            });
        });
    },
};

const program = role === "phone" ? phone : computer;
socket.on("message", (bytes) => {
    const frame = JSON.parse(bytes);
    if (frame.type === "registered") return program.started();
    if (frame.type === "peer-offline") return print({ offline: frame.peerId });
    if (frame.type === "message" && frame.payload) program.received(frame.from, frame.payload);
});
