package import Transport

/// How a computer is reached without a relay now, for connections beside the session.
package struct DirectWay: Sendable {
    /// The hosts of the computer's servers at which it is met, the likeliest first. Names among them are of no use to whoever needs numbers.
    package let hosts: [String]
    /// What the session that is used now gives to these connections.
    package let secret: BulkSecret

    package init(hosts: [String], secret: BulkSecret) {
        self.hosts = hosts
        self.secret = secret
    }
}
