/// Why bytes are not a frame that may be forwarded.
public enum FrameScanError: Error, Hashable, Sendable {
    /// Not one JSON text of RFC 8259.
    case notJSON(at: Int)
    case tooDeep
    /// `type`, `to`, `from` or `payload` twice, or spelt with escapes: two decoders could read two things.
    case ambiguousKey
}
