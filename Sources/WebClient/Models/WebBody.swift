/// What a request brings along.
public enum WebBody: Sendable {
    case none
    case bytes([UInt8])
    /// Pieces that are made as the network takes them. They can be given once, so a request with them is never sent a second time.
    ///
    /// - Parameters:
    ///   - length: Bytes of all pieces; others are ``WebClientError/wrongBodyLength``.
    ///   - next: The next piece, nil behind the last one. What it throws ends the request and reaches its caller.
    case pieces(length: Int64, next: @Sendable () async throws -> [UInt8]?)

    /// Whether it is there a second time.
    public var isRepeatable: Bool {
        if case .pieces = self { false } else { true }
    }
}
