package import Accounts
package import Kernel

/// A part of a person's chain of lists, as the hub hands it out.
package struct KeptChain: Hashable, Sendable {
    package let person: UserID
    /// The number of the newest entry.
    package let newest: Int64
    /// The hash of entry 0, by which a chain is told from one that began anew.
    package let start: [UInt8]
    /// Behind the number that was asked for, the oldest first.
    package let entries: [JSONValue]
}
