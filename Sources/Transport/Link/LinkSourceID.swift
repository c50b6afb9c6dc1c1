/// Names a source of links in use by one connection, so that it can be removed.
public struct LinkSourceID: Hashable, Sendable {
    let number: UInt64
}
