/// What comes from an old phone, so that it goes on after a start of the program.
struct IncomingTransfer: Codable, Hashable, Sendable {
    var meeting: MeetingPlan
    /// The generation that the package became, whose end the old phone has to hear once a start of the program has put it into place, or could
    /// not; nil while the package comes.
    var generation: String?
}
