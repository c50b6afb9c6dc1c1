/// Where the parts of a frame are that decide where it goes. Ranges are of the scanned bytes and hold whole JSON values,
/// strings with their quotes.
public struct ScannedFrame: Hashable, Sendable {
    /// The JSON type of the frame's top level.
    public enum Kind: Hashable, Sendable {
        case object, null, other
    }

    /// An object, `null`, or any other JSON value.
    public internal(set) var kind: Kind
    /// The value of `type`; nil where the frame has none.
    public internal(set) var type: Range<Int>?
    /// The value of `to`; nil where the frame has none.
    public internal(set) var to: Range<Int>?
    /// The value of `from`; nil where the frame has none.
    public internal(set) var from: Range<Int>?
    /// The value of `payload`; nil where the frame has none.
    public internal(set) var payload: Range<Int>?

    init(kind: Kind) { self.kind = kind }
}
