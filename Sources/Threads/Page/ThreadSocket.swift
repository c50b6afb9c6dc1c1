import Commands
import Control
import Conversations
import Kernel
import Rights
import Transport

/// The events of a computer's threads, for a page: it says in JSON texts what it follows and gets the events as JSON texts.
struct ThreadSocket: Sendable {
    private static let messageBytes = 16 << 10
    /// Topics that one page follows at most.
    private static let topicLimit = 16

    /// - Throws: `RouteError`.
    static func route(
        _ find: @escaping ThreadRoutes.Find,
        _ refusals: @escaping ThreadRoutes.Refusals,
        _ following: ThreadFollowing
    ) throws -> WebSocketRoute {
        try WebSocketRoute("/api/threads", maximumMessageBytes: messageBytes, keepAlive: .seconds(20)) {
            socket,
            request in
            let page = ThreadSocket(socket: socket, following: following, refusals: refusals)
            do {
                try await page.run(try await find(request.query("device")))
            } catch let error where !(error is CancellationError) && !(error is WebSocketError) {
                try await page.tell(error)
            }
        }
    }

    let socket: any WebSocketPeer
    let following: ThreadFollowing
    let refusals: ThreadRoutes.Refusals

    private func run(_ computer: any Peer) async throws {
        var topics: [ThreadReference?: Task<Void, Never>] = [:]
        defer { for task in topics.values { task.cancel() } }
        for await message in socket.messages {
            let bytes =
                switch message {
                case .binary(let bytes), .text(let bytes): bytes
                }
            guard let value = try? JSONValue(parsing: bytes) else {
                throw RemoteError.invalidArgument("a message of the page is not JSON")
            }
            if let wanted = value["subscribe"] {
                let topic = try ThreadRoutes.topic(try wanted.decode(as: ThreadsControl.Follow.self))
                topics[topic.thread]?.cancel()
                guard topics.count < Self.topicLimit || topics[topic.thread] != nil else {
                    throw RemoteError.invalidArgument("\(Self.topicLimit) conversations are followed already")
                }
                topics[topic.thread] = Task { await follow(topic, computer) }
            } else if let left = value["unsubscribe"] {
                let topic = try ThreadRoutes.topic(try left.decode(as: ThreadsControl.Follow.self))
                topics.removeValue(forKey: topic.thread)?.cancel()
            }
        }
    }

    private func follow(_ topic: ThreadFollowing.Topic, _ computer: any Peer) async {
        let name: JSONValue = .object(topic.thread?.members ?? [:])
        do {
            try await following.follow(topic, of: computer, refusals: refusals(computer.id)) { item in
                guard case .object(var members) = item else { return }
                // Says which of the page's questions this answers.
                if members["subscribed"] != nil { members["topic"] = name }
                try await socket.send(text: JSONValue.object(members).canonicalBytes)
            }
        } catch is CancellationError {
            // The page left the topic.
        } catch {
            let report = FailureReport(error, right: Right.threadsRead.rawValue).json
            // The socket may be what ended it.
            try? await socket.send(text: (["error": report, "topic": name] as JSONValue).canonicalBytes)
        }
    }

    private func tell(_ error: any Error) async throws {
        let report = FailureReport(error, right: Right.threadsRead.rawValue).json
        try await socket.send(text: (["error": report] as JSONValue).canonicalBytes)
    }
}
