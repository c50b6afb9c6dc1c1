/// What the last start with a ``StartIntent`` did.
struct StartOutcome: Codable, Hashable, Sendable {
    var change: StartIntent.Change
    /// The name of the generation that it was about.
    var generation: String
    /// The name of the one that it replaced; nil where nothing changed.
    var replaced: String?
    /// Why nothing changed, in a sentence for the person; nil where it is done.
    var failure: String?
}
