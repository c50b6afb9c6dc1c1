/// The way back to the data that was replaced.
package struct UndoOffer: Hashable, Sendable {
    /// Until then it is there for certain, unless the disk gets full. Milliseconds since 1970-01-01T00:00:00Z.
    package let untilMilliseconds: Int64
    /// When the data was replaced.
    package let sinceMilliseconds: Int64
    /// Records written since, which going back hides; nil where nobody counted.
    package let changesSince: Int?
}
