/// What the next start of the program puts into place, as the person decided.
struct StartIntent: Codable, Hashable, Sendable {
    enum Change: String, Codable, Hashable, Sendable {
        /// The restored data takes the place of the phone's.
        case restore
        /// The data that was replaced comes back.
        case undo
    }

    var change: Change
    /// The name of the generation that becomes the current one. Another one is not touched.
    var generation: String
}
