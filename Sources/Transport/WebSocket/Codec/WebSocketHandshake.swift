import Crypto
import Kernel
package import NIOCore

/// The opening handshake of RFC 6455 section 4, both halves.
package enum WebSocketHandshake {
    /// A head longer than this is refused: nothing of ours needs more.
    package static let maximumHeadBytes = 16 * 1024

    /// The value of `Sec-WebSocket-Accept` for a client's key.
    package static func accept(for key: String) -> String {
        let digest = Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Base64.encode(digest)
    }

    /// A client's request that asked for a WebSocket.
    package struct Request: Sendable {
        package let path: String
        package let head: HTTPHead
        /// The authority the client dialled, in lower case.
        package let host: String
        /// The client's address as a trusted proxy told it; nil when the connection is the client's own.
        package internal(set) var source: SocketAddress?
        /// SHA-256 of the certificate that this connection was opened with; nil without TLS.
        package internal(set) var certificateHash: [UInt8]?
        fileprivate let key: String

        /// The subprotocols that the client offers, its best first.
        package var subprotocols: [String] {
            head.values("sec-websocket-protocol").flatMap { $0.split(separator: ",") }
                .map { String($0.filter { $0 != " " && $0 != "\t" }) }
        }

        /// The bytes that accept it.
        package func acceptance(subprotocol: String? = nil) -> String {
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(for: key))\r\n"
                + (subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "") + "\r\n"
        }
    }

    package enum Parsed {
        /// An ordinary HTTP request: for another handler.
        case http
        case upgrade(Request)
        /// It asked for a WebSocket and got it wrong: the response to send before closing.
        case refused(response: String)
    }

    package static func parse(request bytes: [UInt8]) -> Parsed {
        guard let head = HTTPHead(bytes), head.startLine.count == 3, head.startLine[2].hasPrefix("HTTP/1.") else {
            return .http
        }
        guard head.startLine[0] == "GET", head.lists("websocket", in: "upgrade") else { return .http }
        guard head.startLine[2] == "HTTP/1.1", head.lists("upgrade", in: "connection"),
            let host = head.only("host")
        else {
            return .refused(response: response(400, "Bad Request"))
        }
        guard head["sec-websocket-version"] == "13" else {
            return .refused(response: response(426, "Upgrade Required", extra: "Sec-WebSocket-Version: 13\r\n"))
        }
        guard let key = head["sec-websocket-key"], Base64.decodedCount(key) == 16 else {
            return .refused(response: response(400, "Bad Request"))
        }
        return .upgrade(Request(path: String(head.startLine[1]), head: head, host: host.lowercased(), key: key))
    }

    /// - Parameter sentence: The body, for a person who looks at the answer.
    package static func response(
        _ status: Int,
        _ phrase: String,
        extra: String = "",
        sentence: String = ""
    ) -> String {
        let type = sentence.isEmpty ? "" : "Content-Type: text/plain; charset=utf-8\r\n"
        return "HTTP/1.1 \(status) \(phrase)\r\n\(extra)\(type)Connection: close\r\n"
            + "Content-Length: \(sentence.utf8.count)\r\n\r\n\(sentence)"
    }

    /// A client's request.
    static func request(path: String, host: String, key: String, headers: [(name: String, value: String)]) -> String {
        var text = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return text + "\r\n"
    }

    /// Whether `name` may stand in a header as a subprotocol: a token of RFC 9110, at most 100 bytes.
    package static func isToken(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count)
            && name.hasOnlyLettersAndDigits(or: "!#$%&'*+-.^_`|~")
    }

    /// Whether what came of an answer so far, perhaps nothing, can still become one of a server of HTTP.
    static func canBegin(response start: some Sequence<UInt8>) -> Bool {
        zip(start, "HTTP/1.".utf8).allSatisfy { $0 == $1 }
    }

    /// - Parameter subprotocols: The subprotocols that the client offered.
    /// - Returns: The subprotocol that the server chose.
    /// - Throws: ``WebSocketError`` unless the head accepts `key`.
    static func check(
        response bytes: [UInt8],
        key: String,
        subprotocols: [String] = []
    ) throws(WebSocketError) -> String? {
        guard let head = HTTPHead(bytes), head.startLine[0].hasPrefix("HTTP/1."), let status = Int(head.startLine[1])
        else {
            throw .notAWebSocketServer
        }
        guard status == 101 else { throw .refused(status: status) }
        guard head.lists("websocket", in: "upgrade"), head.lists("upgrade", in: "connection"),
            head["sec-websocket-accept"] == accept(for: key), head["sec-websocket-extensions"] == nil
        else { throw .notAWebSocketServer }
        let chosen = head["sec-websocket-protocol"]
        // One that was not offered is a violation (RFC 6455 section 4.1).
        if let chosen, !subprotocols.contains(chosen) { throw .notAWebSocketServer }
        return chosen
    }
}

/// Standard base64, which the handshake's two fields use.
enum Base64 {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        var group: [UInt8] = []
        func flush() {
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                let isPadding = position > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * position)) & 63])
            }
            group = []
        }
        for byte in bytes {
            group.append(byte)
            if group.count == 3 { flush() }
        }
        if !group.isEmpty { flush() }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many bytes well-formed padded text stands for; nil otherwise.
    static func decodedCount(_ text: String) -> Int? {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.count - body.count
        guard text.utf8.count.isMultiple(of: 4), padding <= 2,
            text.utf8.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") }),
            body.allSatisfy({ $0.isLetterOrDigit(or: "+/") })
        else { return nil }
        return text.utf8.count / 4 * 3 - padding
    }
}
