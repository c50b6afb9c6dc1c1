import Foundation
import Kernel
import NIOCore
import NIOPosix
import Transport

/// Asks a page over a socket, with a head as it is written: browsers are kept from most of what is tried here.
struct PageClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        /// Names in lower case.
        let fields: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var code: String? { json["error"]?["code"]?.stringValue }
    }

    enum Failure: Error {
        case noAnswer(String)
    }

    let port: Int
    var cookie: String?

    var origin: String { "http://127.0.0.1:\(port)" }

    /// - Parameter fields: In place of the usual ones of the same name; nil leaves one out.
    func ask(
        _ method: String,
        _ target: String,
        fields: [String: String?] = [:],
        body: [UInt8] = []
    ) async throws -> Answer {
        var all: [String: String?] = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        if method != "GET" {
            all["Origin"] = origin
            all["Content-Length"] = "\(body.count)"
        }
        if let cookie { all["Cookie"] = cookie }
        all.merge(fields) { $1 }
        var head = "\(method) \(target) HTTP/1.1\r\n"
        for (name, value) in all { if let value { head += "\(name): \(value)\r\n" } }
        return try Self.parse(try await Self.exchange(Array((head + "\r\n").utf8) + body, port: port))
    }

    func post(_ target: String, _ value: JSONValue) async throws -> Answer {
        try await ask("POST", target, body: value.canonicalBytes)
    }

    func call(_ method: String, _ params: JSONValue = .object([:])) async throws -> Answer {
        try await post("/api/call", ["method": .string(method), "params": params])
    }

    func socket(_ target: String, fields: [String: String] = [:]) async throws -> WebSocketConnection {
        guard let url = URL(string: "ws://127.0.0.1:\(port)\(target)") else { throw Failure.noAnswer(target) }
        var all = ["Origin": origin]
        if let cookie { all["Cookie"] = cookie }
        all.merge(fields) { $1 }
        return try await WebSocketConnection.connect(to: url, headers: all.map { ($0.key, $0.value) })
    }

    /// Sends bytes and returns all that comes until the other end closes.
    static func exchange(_ bytes: [UInt8], port: Int) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            var answer: [UInt8] = []
            do {
                for try await piece in inbound { answer += piece.readableBytesView }
            } catch {
                guard !answer.isEmpty else { throw error }  // a reset behind the answer
            }
            return answer
        }
    }

    static func parse(_ bytes: [UInt8]) throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else {
            throw Failure.noAnswer(String(decoding: bytes, as: UTF8.self))
        }
        var lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let status = lines.removeFirst().split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields[line[..<colon].lowercased()] = value
        }
        var body = Array(bytes[(end + 4)...])
        if fields["transfer-encoding"] == "chunked" { body = joined(body) }
        return Answer(status: status, fields: fields, body: body)
    }

    private static func joined(_ chunks: [UInt8]) -> [UInt8] {
        var (rest, body) = (chunks[...], [UInt8]())
        while let end = rest.firstIndex(of: 0x0D),
            let size = Int(String(decoding: rest[rest.startIndex..<end], as: UTF8.self), radix: 16), size > 0
        {
            body += rest.dropFirst(end + 2 - rest.startIndex).prefix(size)
            rest = rest.dropFirst(end + 2 - rest.startIndex + size + 2)
        }
        return body
    }
}

/// One page's connection for events, read message by message.
final class EventReader {
    let socket: WebSocketConnection
    private var messages: WebSocketMessages.AsyncIterator

    init(_ socket: WebSocketConnection) {
        self.socket = socket
        messages = socket.messages.makeAsyncIterator()
    }

    func next() async throws -> JSONValue? {
        guard let message = await messages.next() else { return nil }
        return try JSONValue(parsing: message.bytes)
    }

    func send(_ value: JSONValue) async throws { try await socket.send(text: value.canonicalBytes) }
}

extension WebSocketConnection {
    /// The code that the other end closed with.
    var closedWith: WebSocketCloseCode? {
        if case .byPeer(let code, _)? = closure { code } else { nil }
    }
}

extension PageClient {
    /// Sends bytes, and cuts the line when `body` returns.
    static func send(_ bytes: [UInt8], port: Int, _ body: () async throws -> Void) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { _, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            try await body()
        }
    }
}
