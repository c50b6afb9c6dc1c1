/// Looks names up. A test gives the answers itself.
package protocol AddressResolver: Sendable {
    /// - Returns: IP addresses in the order in which they are to be tried; empty for a name that is not known.
    /// - Throws: ``PushError/cancelled``, ``PushError/tooManyWaiting``.
    func addresses(of host: String) async throws(PushError) -> [String]
}
