/// Finds the top-level keys of a JSON frame and checks all of its grammar in one pass, without making values.
///
/// A relay splices what it finds here into the frame it forwards, so two things must hold for any bytes: what passes is JSON that
/// every decoder accepts, and no decoder reads another `to` than this does. `Fuzz/` compares it with a decoder.
public enum FrameScanner {
    /// Containers inside each other, the frame's own object included.
    public static let maximumDepth = 63

    /// - Parameter facts: Known properties of the bytes. UTF-8 is the caller's to check.
    public static func scan(_ bytes: [UInt8], facts: ByteFacts = .unknown) throws(FrameScanError) -> ScannedFrame {
        // A closure that throws a typed error through the standard library's rethrowing functions loses its type.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(FrameScanError) in try scan(bytes, facts: facts) }
        }
        return try result.get()
    }

    /// The frame of bytes that stand in memory already.
    ///
    /// - Parameter facts: Known properties of the bytes. UTF-8 is the caller's to check.
    public static func scan(
        _ bytes: UnsafeRawBufferPointer,
        facts: ByteFacts = .unknown
    ) throws(FrameScanError) -> ScannedFrame {
        var cursor = JSONCursor(bytes, facts: facts)
        cursor.skipWhiteSpace()
        guard cursor.byte == UInt8(ascii: "{") else {
            let isNull = cursor.byte == UInt8(ascii: "n")
            try cursor.skipValue(depth: 0)
            try cursor.expectEnd()
            return ScannedFrame(kind: isNull ? .null : .other)
        }
        var frame = ScannedFrame(kind: .object)
        try cursor.forEachMember { (key, hasEscapes, value) throws(FrameScanError) in
            switch try FrameKey(bytes, key, hasEscapes: hasEscapes) {
            case .type: try set(&frame.type, value)
            case .to: try set(&frame.to, value)
            case .from: try set(&frame.from, value)
            case .payload: try set(&frame.payload, value)
            case nil: break
            }
        }
        try cursor.expectEnd()
        return frame
    }

    private static func set(_ range: inout Range<Int>?, _ value: Range<Int>) throws(FrameScanError) {
        guard range == nil else { throw .ambiguousKey }
        range = value
    }

    /// Every top-level member of an object, for the rare frames of which more than four keys matter. Empty for anything else.
    ///
    /// - Throws: ``FrameScanError/ambiguousKey`` also when any key comes twice.
    public static func members(_ bytes: UnsafeRawBufferPointer) throws(FrameScanError) -> [FrameMember] {
        var cursor = JSONCursor(bytes, facts: .unknown)
        cursor.skipWhiteSpace()
        guard cursor.byte == UInt8(ascii: "{") else { return [] }
        var members: [FrameMember] = []
        var keys: Set<String> = []
        try cursor.forEachMember { (key, _, value) throws(FrameScanError) in
            guard let text = JSONText.string(bytes, key), keys.insert(text).inserted else { throw .ambiguousKey }
            members.append(FrameMember(key: text, keyRange: key, valueRange: value))
        }
        try cursor.expectEnd()
        return members
    }
}

/// The keys that decide where a frame goes.
private enum FrameKey {
    case type, to, from, payload

    /// - Throws: ``FrameScanError/ambiguousKey`` for one of the four spelt with escapes.
    init?(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, hasEscapes: Bool) throws(FrameScanError) {
        if hasEscapes {
            guard let text = JSONText.string(bytes, range) else { throw .ambiguousKey }
            guard !["type", "to", "from", "payload"].contains(text) else { throw .ambiguousKey }
            return nil
        }
        let start = range.lowerBound + 1
        switch range.count - 2 {
        case 2 where bytes.matches("to", at: start): self = .to
        case 4 where bytes.matches("type", at: start): self = .type
        case 4 where bytes.matches("from", at: start): self = .from
        case 7 where bytes.matches("payload", at: start): self = .payload
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `text` stands at `index`; the caller knows that there are as many bytes.
    @inline(__always)
    func matches(_ text: StaticString, at index: Int) -> Bool {
        for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
