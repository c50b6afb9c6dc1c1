public import Rights

extension TransferFrame {
    /// What a phone must be allowed to be sent this. Nil for a refusal, which tells nothing of a file.
    public var rightToReceive: Right? {
        switch content {
        case .data, .want: .fileRead
        case .taken: .fileWrite
        case .refused: nil
        }
    }
}
