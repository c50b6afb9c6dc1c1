/// What comes from an old phone, so that it goes on after a start of the program.
struct IncomingTransfer: Codable, Hashable, Sendable {
    var meeting: MeetingPlan
    /// The generation that the next start puts into place, whose end the old phone has to hear; nil while the package comes.
    var generation: String?
}
