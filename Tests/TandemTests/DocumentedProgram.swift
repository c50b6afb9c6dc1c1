import Foundation
import Kernel
import Synchronization
import Testing
import Transport

/// A program that speaks only the documented wire, written from the documents: JSON frames on a real WebSocket, and no code of ours
/// above that.
final class DocumentedProgram: Sendable {
    private final class Inbox: Sendable {
        private let frames = Mutex<[JSONValue]>([])

        func add(_ frame: JSONValue) { frames.withLock { $0.append(frame) } }

        func take(_ fits: (JSONValue) -> Bool) -> JSONValue? {
            frames.withLock { frames in frames.firstIndex(where: fits).map { frames.remove(at: $0) } }
        }
    }

    let id: String
    private let socket: WebSocketConnection
    private let inbox = Inbox()
    private let reader: Task<Void, Never>

    /// Connects and registers.
    init(_ id: String, as type: String, at url: URL) async throws {
        self.id = id
        let socket = try await WebSocketConnection.connect(to: url)
        self.socket = socket
        reader = Task { [inbox] in
            for await message in socket.messages {
                guard case .text(let bytes) = message, let frame = try? JSONValue(parsing: bytes) else { continue }
                inbox.add(frame)
            }
        }
        try await send(["type": "register", "peerId": .string(id), "deviceType": .string(type)])
        _ = try await frame { $0["type"] == "registered" }
    }

    deinit { reader.cancel() }

    func leave() async { await socket.close() }

    func send(_ frame: JSONValue) async throws { try await socket.send(text: frame.canonicalText) }

    func say(_ payload: JSONValue, to other: String) async throws {
        try await send(["type": "message", "to": .string(other), "payload": payload])
    }

    /// The first frame that fits, those before it left for later.
    func frame(where fits: (JSONValue) -> Bool) async throws -> JSONValue {
        while true {
            if let frame = inbox.take(fits) { return frame }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The payload of the first message that fits, as it came.
    func payload(where fits: (JSONValue) -> Bool) async throws -> JSONValue {
        let frame = try await frame { $0["type"] == "message" && $0["payload"].map(fits) == true }
        return try #require(frame["payload"])
    }

    /// Sends a request in the documented form and waits for the payload's object of its answer.
    func ask(_ method: String, _ params: JSONValue = [:], id request: JSONValue, of computer: String) async throws
        -> JSONValue
    {
        try await say(Self.request(method, params, id: request, from: id), to: computer)
        let answer = try await payload {
            $0["type"] == "chainlesschain:command:response" && $0["payload"]?["id"] == request
        }
        return try #require(answer["payload"])
    }

    static func request(_ method: String, _ params: JSONValue, id: JSONValue, from did: String) -> JSONValue {
        [
            "type": "chainlesschain:command:request",
            "payload": ["id": id, "method": .string(method), "params": params, "auth": ["mobileDid": .string(did)]],
        ]
    }
}

/// The computer's half, answering one request after the other.
struct DocumentedComputer: Sendable {
    static let id = "4b1d00c0ffee4b1d00c0ffee4b1d00c0"

    let program: DocumentedProgram

    init(at url: URL) async throws {
        program = try await DocumentedProgram(Self.id, as: "desktop", at: url)
    }

    /// What its screen shows.
    static func code(signalingURL: URL?, relayURL: URL?) -> String {
        var members: [String: JSONValue] = [
            "type": "desktop-pairing", "code": "482915", "pcPeerId": .string(id),
            "deviceInfo": ["name": "old-pc", "platform": "darwin", "version": "5.0.3"],
            "timestamp": .integer(Date().millisecondsSince1970),
            "signalingUrl": signalingURL.map { .string($0.absoluteString) } ?? .null,
        ]
        if let relayURL { members["relayUrl"] = .string(relayURL.absoluteString) }
        return JSONValue.object(members).canonicalText
    }

    /// The next command, with whom it came from.
    func request() async throws -> (from: String, payload: JSONValue) {
        let frame = try await program.frame {
            $0["type"] == "message" && $0["payload"]?["type"] == "chainlesschain:command:request"
        }
        return (try #require(frame["from"]?.stringValue), try #require(frame["payload"]?["payload"]))
    }

    /// Answers commands until cancelled: what `answers` returns is the result.
    func serve(_ answers: @escaping @Sendable (_ method: String, _ params: JSONValue) -> JSONValue) async throws {
        while true {
            let (from, request) = try await request()
            let result = answers(request["method"]?.stringValue ?? "", request["params"] ?? .null)
            try await program.say(
                [
                    "type": "chainlesschain:command:response",
                    "payload": ["id": request["id"] ?? .null, "result": result],
                ],
                to: from
            )
        }
    }
}
