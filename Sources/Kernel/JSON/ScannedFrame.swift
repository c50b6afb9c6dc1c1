/// Where the parts of a frame are that decide where it goes. Ranges are of the scanned bytes and hold whole JSON values,
/// strings with their quotes.
public struct ScannedFrame: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case object, null, other
    }

    public internal(set) var kind: Kind
    public internal(set) var type: Range<Int>?
    public internal(set) var to: Range<Int>?
    public internal(set) var from: Range<Int>?
    public internal(set) var payload: Range<Int>?

    init(kind: Kind) { self.kind = kind }
}
