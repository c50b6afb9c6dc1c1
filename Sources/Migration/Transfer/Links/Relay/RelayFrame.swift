import Signaling

/// A piece of a link over a hub, in a binary frame of its kind. Source: `docs/protocol.md` 2.14.6.
///
/// The frame's flags say what it is, its number says where its bytes belong or how many may come, and in front of its bytes stands the link's number.
struct RelayFrame: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// The side that dials wants a link.
        case open
        /// The other side has it.
        case accept
        /// Bytes of the sender's stream, the first of which is its `offset`th.
        case bytes(offset: UInt64, ArraySlice<UInt8>)
        /// So many bytes of the other side's stream may have been sent in all.
        case credit(UInt64)
        case close
    }

    /// The side that dials draws it by chance.
    var link: UInt64
    var content: Content

    init(link: UInt64, content: Content) {
        self.link = link
        self.content = content
    }

    /// Nil for a frame of another kind, a later version's, or one without its link.
    init?(_ frame: SignalBinaryFrame) {
        guard frame.kind == SignalBinaryFrame.moveKind, frame.ciphertext.count >= 8 else { return nil }
        link = frame.ciphertext.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        switch frame.flags {
        case 1: content = .open
        case 2: content = .accept
        case 3: content = .bytes(offset: frame.sequence, frame.ciphertext.dropFirst(8))
        case 4: content = .credit(frame.sequence)
        case 5: content = .close
        default: return nil
        }
    }

    var binary: SignalBinaryFrame {
        var bytes: [UInt8] = []
        let (flags, number, rest): (UInt8, UInt64, ArraySlice<UInt8>) =
            switch content {
            case .open: (1, 0, [])
            case .accept: (2, 0, [])
            case .bytes(let offset, let piece): (3, offset, piece)
            case .credit(let total): (4, total, [])
            case .close: (5, 0, [])
            }
        bytes.reserveCapacity(8 + rest.count)
        bytes.append(bigEndian: link)
        bytes += rest
        return SignalBinaryFrame(
            kind: SignalBinaryFrame.moveKind,
            flags: flags,
            sequence: number,
            ciphertext: bytes[...]
        )
    }
}
