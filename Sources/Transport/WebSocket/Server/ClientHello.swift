/// A client's first message of TLS (RFC 8446 section 4.1.2), as far as a server chooses a certificate by it.
package struct ClientHello: Hashable {
    package enum Parsed: Hashable {
        case incomplete
        case malformed
        case hello(ClientHello)
    }

    /// Bytes of a first message, with the records around it. Those of today's browsers have some 2,000.
    package static let largest = 16 << 10

    /// The name that it asks for, in lower case (RFC 6066 section 3).
    package var serverName: String?
    /// The protocols that it offers (RFC 7301).
    package var protocols: [String] = []

    package init(serverName: String? = nil, protocols: [String] = []) {
        self.serverName = serverName
        self.protocols = protocols
    }

    /// - Parameter bytes: All that the connection brought so far.
    package static func parse(_ bytes: some Collection<UInt8>) -> Parsed {
        guard bytes.count <= largest else { return .malformed }
        var records = Input(bytes)
        var message: [UInt8] = []
        var wanted = 4
        while message.count < wanted {
            // A handshake's record: its kind, a version, a length.
            guard let kind = records.byte() else { return .incomplete }
            guard kind == 22 else { return .malformed }
            guard records.skip(2), let length = records.number(2) else { return .incomplete }
            guard (1...16_384).contains(length) else { return .malformed }
            guard let part = records.take(length) else { return .incomplete }
            message += part
            guard message[0] == 1 else { return .malformed }
            guard message.count >= 4 else { continue }
            wanted = 4 + message[1...3].reduce(0) { $0 << 8 | Int($1) }
            guard wanted <= largest else { return .malformed }
        }
        return read(message[4..<wanted]).map { .hello($0) } ?? .malformed
    }

    private static func read(_ message: ArraySlice<UInt8>) -> ClientHello? {
        var input = Input(message)
        // The version and the random bytes, the session, the ciphers, the compressions.
        guard input.skip(34), input.vector(1) != nil, input.vector(2) != nil, input.vector(1) != nil else { return nil }
        var hello = ClientHello()
        guard !input.isEmpty else { return hello }
        guard let extensions = input.vector(2), input.isEmpty else { return nil }
        var rest = Input(extensions)
        while !rest.isEmpty {
            guard let kind = rest.number(2), let content = rest.vector(2) else { return nil }
            switch kind {
            case 0:
                guard let name = serverName(in: content) else { return nil }
                hello.serverName = name
            case 16:
                guard let protocols = protocols(in: content) else { return nil }
                hello.protocols = protocols
            default: continue
            }
        }
        return hello
    }

    private static func serverName(in content: [UInt8]) -> String? {
        var input = Input(content)
        guard let list = input.vector(2), input.isEmpty else { return nil }
        var names = Input(list)
        guard names.byte() == 0, let name = names.vector(2), (1...255).contains(name.count),
            name.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private static func protocols(in content: [UInt8]) -> [String]? {
        var input = Input(content)
        guard let list = input.vector(2), input.isEmpty else { return nil }
        var names = Input(list)
        var found: [String] = []
        while !names.isEmpty {
            guard let name = names.vector(1), !name.isEmpty else { return nil }
            found.append(String(decoding: name, as: UTF8.self))
        }
        return found
    }

    /// Bytes that are read from the front.
    private struct Input {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

        var isEmpty: Bool { rest.isEmpty }

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        mutating func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }

        /// A number of so many bytes, the highest first.
        mutating func number(_ bytes: Int) -> Int? { take(bytes)?.reduce(0) { $0 << 8 | Int($1) } }

        /// Bytes behind their count, which has so many bytes itself.
        mutating func vector(_ countBytes: Int) -> [UInt8]? { number(countBytes).flatMap { take($0) } }
    }
}
