package import Kernel
package import Transport

/// The JSON form of a link's frame, as the payload of a `message`. Source: `docs/protocol.md` 2.4.
package enum SealedPayload {
    static let type = "e2e"
    /// The largest Noise message.
    private static let maximumHandshakeBytes = 65_535

    package static func encode(_ frame: LinkFrame) -> JSONValue {
        switch frame {
        case .handshake(let id, let pattern, let index, let resumption, let bytes):
            .object(compacting: [
                "type": .string(type),
                "sid": text(id.bytes),
                "p": .string(pattern),
                "m": .integer(Int64(index)),
                "rid": resumption.map(text),
                "hs": text(bytes),
            ])
        case .record(let id, let generation, let sequence, let ciphertext):
            .object(compacting: [
                "type": .string(type),
                "sid": id.map { text($0.bytes) },
                "g": .integer(Int64(generation)),
                "n": .integer(Int64(clamping: sequence)),
                "ct": .string(Base64URL.encode(ciphertext)),
            ])
        case .notice(let id, let notice):
            ["type": .string(type), "sid": text(id.bytes), "err": .string(notice.rawValue)]
        }
    }

    /// The frame in `payload`; nil for other payloads, and for frames of later versions.
    package static func decode(_ payload: JSONValue) -> LinkFrame? {
        guard payload["type"]?.stringValue == type, let id = bytes(payload["sid"]).flatMap(SessionID.init) else {
            return nil
        }
        if let pattern = payload["p"]?.stringValue, let index = payload["m"]?.integerValue {
            guard index == 1 || index == 2, let message = bytes(payload["hs"]), message.count <= maximumHandshakeBytes
            else { return nil }
            let resumption = bytes(payload["rid"])
            guard resumption.map({ $0.count == 16 }) ?? true else { return nil }
            return .handshake(id, pattern: pattern, index: Int(index), resumption: resumption, bytes: message)
        }
        if let ciphertext = bytes(payload["ct"]) {
            guard let generation = payload["g"]?.integerValue.flatMap(UInt32.init(exactly:)),
                let sequence = payload["n"]?.integerValue.flatMap(UInt64.init(exactly:))
            else { return nil }
            return .record(id, generation: generation, sequence: sequence, ciphertext: ciphertext[...])
        }
        guard let notice = payload["err"]?.stringValue.flatMap(SessionNotice.init) else { return nil }
        return .notice(id, notice)
    }

    private static func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.stringValue.flatMap(Base64URL.decode) }
}
