package import Transport

/// How a computer is reached without a relay now, for connections beside the session.
package struct DirectWay: Sendable {
    /// The addresses in numbers of the computer's servers at which it is met now.
    package let addresses: [String]
    /// What the session that is used now gives to these connections.
    package let secret: BulkSecret

    package init(addresses: [String], secret: BulkSecret) {
        self.addresses = addresses
        self.secret = secret
    }
}
