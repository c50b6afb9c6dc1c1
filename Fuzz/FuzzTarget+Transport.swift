import Foundation
import Kernel
import NIOCore
import Transport

extension FuzzTarget {
    /// What a decoder reads of a frame: the keys that decide where it goes.
    private struct Probe: Decodable {
        let type: JSONValue?
        let to: JSONValue?
    }

    /// What the scanner lets through, every decoder accepts, and reads the same `to` from.
    static let frameScanner = FuzzTarget(name: "frame-scanner") { bytes in
        guard let frame = try? FrameScanner.scan(bytes) else { return }
        _ = try? bytes.withUnsafeBytes { try FrameScanner.members($0) }
        guard String(validating: bytes, as: UTF8.self) != nil, frame.kind == .object else { return }
        let probe: Probe
        do {
            probe = try JSONDecoder().decode(Probe.self, from: Data(bytes))
        } catch DecodingError.dataCorrupted(let context) where "\(context)".contains("not representable") {
            return  // A number too large for Swift's types: the grammar allows it.
        } catch {
            finding("the scanner accepts what a decoder does not: \(error)")
        }
        let scanned = frame.to.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data(bytes[$0])) }
        if probe.to.map(isSomething) != scanned.map(isSomething) || (isSomething(probe.to) && probe.to != scanned) {
            finding("the scanner reads another `to` than a decoder")
        }
    }

    /// What becomes a value is JSON for Foundation too, and has one canonical form.
    static let jsonValue = FuzzTarget(name: "json-value") { bytes in
        guard let value = try? JSONValue(parsing: bytes) else { return }
        if (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) == nil {
            finding("the parser accepts what a decoder does not")
        }
        guard let again = try? JSONValue(parsing: value.canonicalBytes), again == value else {
            finding("the canonical form is another value")
        }
        let keys: [StaticString] = ["type", "to", "from", "payload"]
        guard let part = try? JSONValue(parsing: bytes, keeping: .keys(keys)) else {
            finding("wanted members are refused where the whole is not")
        }
        let names = Set(keys.map(\.description))
        let wanted = value.objectValue.map { JSONValue.object($0.filter { names.contains($0.key) }) }
        if part != wanted ?? value { finding("wanted members are other ones than the whole has") }
    }

    /// A decoder cannot tell an absent key from one that is null.
    private static func isSomething(_ value: JSONValue?) -> Bool { value != nil && value != .null }

    /// The same bytes give the same events, however they are cut into reads.
    static let webSocketReader = FuzzTarget(name: "websocket-reader") { bytes in
        guard let first = bytes.first else { return }
        let role: WebSocketRole = first & 1 == 0 ? .server : .client
        let payload = Array(bytes.dropFirst())
        let whole = events(of: payload, role: role, step: payload.count)
        let pieces = events(of: payload, role: role, step: max(1, Int(first >> 1)))
        if whole != pieces { finding("cutting the stream changes what is read") }
    }

    private static func events(of bytes: [UInt8], role: WebSocketRole, step: Int) -> [String] {
        var reader = WebSocketFrameReader(role: role, limit: 1 << 20)
        let scratch = WebSocketScratch()
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: max(1, step)) {
            var input = ByteBuffer(bytes: bytes[start..<min(bytes.count, start + step)])
            do {
                while let event = try reader.next(&input, scratch: scratch) {
                    switch event {
                    case .small(let kind, let count, _): found.append("\(kind) \(Array(scratch.bytes(count)))")
                    case .large(let kind, _): found.append("\(kind) \(Array(reader.takeMessage().readableBytesView))")
                    case .ping(let payload): found.append("ping \(payload)")
                    case .pong(let payload): found.append("pong \(payload)")
                    case .close(let code, let reason): found.append("close \(String(describing: code)) \(reason)")
                    }
                }
            } catch {
                found.append("violation")
                return found
            }
        }
        return found
    }

    /// Requests and responses of the opening handshake; a server never answers with a line break that a client put in.
    static let handshake = FuzzTarget(name: "websocket-handshake") { bytes in
        switch WebSocketHandshake.parse(request: bytes) {
        case .http: break
        case .upgrade(let request):
            if request.acceptance().split(separator: "\r\n", omittingEmptySubsequences: false).count != 6 {
                finding("the acceptance has lines of the client's")
            }
        case .refused(let response):
            if !response.hasPrefix("HTTP/1.1 4") { finding("a refusal that is none") }
        }
    }
}
