package import Chat

/// The right to fetch a view-once picture once.
package struct FlashLease: Hashable, Sendable {
    /// Opens the picture for one person on one device. Told once, kept as a hash.
    package let secret: String
    /// Milliseconds since 1970-01-01T00:00:00Z; afterwards the picture is destroyed.
    package let endsAt: Int64
}

/// The picture that a lease opens.
package struct LeasedFlash: Hashable, Sendable {
    package let conversation: ConversationID
    package let seq: Int64
    package let objectKey: String
}

/// Whether a person may have a signed address of an object.
package enum ObjectAccess: Hashable, Sendable {
    /// A message that the person can see refers to it.
    case allowed
    /// A view-once picture: nobody gets an address of it, its sender included.
    case viewOnce
    /// No message that the person can see refers to it. Who uploaded it may have it all the same, which the log does not know.
    case unreferenced
}
