/// The place where a story happened.
package struct StoryPlace: Hashable, Sendable {
    /// Degrees north.
    package var latitude: Double
    /// Degrees east.
    package var longitude: Double
    /// Metres; -1 where it was not measured.
    package var horizontalAccuracy: Double = -1
    /// Metres; -1 where it was not measured.
    package var verticalAccuracy: Double = -1
}
