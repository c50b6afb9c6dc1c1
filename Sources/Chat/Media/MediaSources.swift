public import Foundation

/// Gets addresses of objects.
public protocol MediaSigning: Sendable {
    /// - Parameter objectKeys: Each once, at most ``SignURLs/limit``.
    /// - Returns: Addresses by key. A key without one cannot be had.
    func sign(_ objectKeys: [String]) async throws -> [String: SignedURL]
}

/// Gets the bytes of an object: from the account's own server, or a host that its owner configured. An address in a message is its sender's word, and
/// fetching from anywhere would tell strangers where the reader is.
public protocol MediaFetching: Sendable {
    /// - Parameter limit: The most bytes to take.
    /// - Throws: ``ChatError/refused(_:)`` where the server does not give it (401, 403, 404): the address is signed anew once;
    ///   ``ChatError/tooLong(_:limit:)``; any other error for what may work later.
    func fetch(_ url: URL, limit: Int) async throws -> Data
}
