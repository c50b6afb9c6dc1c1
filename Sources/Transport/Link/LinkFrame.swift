/// One piece of a sealed session, in any link's form. Source: `docs/protocol.md` 2.2 and 2.4.
public enum LinkFrame: Hashable, Sendable {
    /// - `pattern`: `IK` or `IKpsk2`; `index`: 1 or 2; `resumption`: the `rid` of message 1 of IKpsk2.
    case handshake(SessionID, pattern: String, index: Int, resumption: [UInt8]?, bytes: [UInt8])
    /// A compact link names no session and gives only the low 8 bits of the generation.
    case record(SessionID?, generation: UInt32, sequence: UInt64, ciphertext: ArraySlice<UInt8>)
    case notice(SessionID, SessionNotice)
}
