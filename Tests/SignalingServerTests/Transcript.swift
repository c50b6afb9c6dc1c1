import Foundation
import Kernel
import SignalingServer
import Testing
import Transport

/// One recorded conversation: who connected, what was sent, what came back, in order.
struct Transcript: Sendable {
    private struct Line: Decodable {
        enum Direction: String, Decodable { case event, c2s, s2c }

        let sock: String
        let dir: Direction
        let frame: JSONValue
    }

    private let lines: [Line]

    init(dialect: SignalingDialect, name: String) throws {
        let file = try #require(
            Bundle.module.url(
                forResource: "\(dialect.rawValue)-\(name)",
                withExtension: "jsonl",
                subdirectory: "Fixtures/signaling"
            )
        )
        lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
        #expect(!lines.isEmpty)
    }

    func replay(against server: TestServer) async throws {
        var peers: [String: TestPeer] = [:]
        for line in lines {
            switch line.dir {
            case .event: try await perform(line, &peers, server)
            case .c2s: try await send(line.frame, from: try #require(peers[line.sock]))
            case .s2c:
                let frame = try await peers[line.sock]?.next()
                #expect(frame.map(Self.normalised) == Self.normalised(line.frame))
            }
        }
    }

    private func perform(_ line: Line, _ peers: inout [String: TestPeer], _ server: TestServer) async throws {
        switch line.frame["event"]?.stringValue {
        case "open": peers[line.sock] = try await server.connect()
        case "ws-level pong received": try await peers[line.sock]?.connection.ping()
        case "close":
            let known = peers.removeValue(forKey: line.sock)
            let peer = try #require(known)
            if line.frame["code"]?.integerValue == 1006 {
                peer.connection.abort()
            } else {
                // The pong comes behind everything the server had for this socket; nothing may be left unread then.
                try await peer.connection.ping()
                await peer.close()
                #expect(await peer.nextMessage() == nil)
            }
        default: Issue.record("an event this replay does not know: \(line.frame)")
        }
    }

    private func send(_ frame: JSONValue, from peer: TestPeer) async throws {
        if let binary = frame["_binary"]?.stringValue {
            try await peer.connection.send(binary: Array(binary.utf8))
        } else if let text = frame.stringValue {
            try await peer.send(raw: text)
        } else {
            try await peer.send(frame)
        }
    }

    /// Times become 0, and random ids one text, if they are what they should be.
    private static func normalised(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map(normalised))
        case .object(let members):
            let times: Set<String> = ["timestamp", "serverTime", "storedAt", "deliveredAt", "connectedAt", "lastSeen"]
            return .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { key, value in
                        if times.contains(key), let time = value.integerValue, time > 1_600_000_000_000 {
                            return (key, 0)
                        }
                        if key == "messageId", let id = value.stringValue, UUID(uuidString: id) != nil {
                            return (key, "a random id")
                        }
                        return (key, normalised(value))
                    }
                )
            )
        default: return value
        }
    }
}
