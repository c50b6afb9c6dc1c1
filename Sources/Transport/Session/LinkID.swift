/// A link's name inside one connection: counted up, never used twice.
package struct LinkID: Hashable, Sendable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (first: LinkID, second: LinkID) -> Bool { first.number < second.number }
}
