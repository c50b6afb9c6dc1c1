import MigrationTransfer

/// Where the two phones of a move meet, as this one keeps it for the next run of its program.
struct MeetingPlan: Codable, Hashable, Sendable {
    /// All of this machine's addresses.
    static let anyAddress = "0.0.0.0"

    /// Where the other phone listens (`LinkPlace`), so that this one dials; empty where this one listens.
    var places: [String] = []
    /// The numeric address at which this phone listens, and the port that the system gave: the other one dials it again.
    var host = anyAddress
    var port = 0
    /// The room at a hub in which this phone is met, too (`RelayPlace`); nil before there is one, and where the phone knows no hub.
    var room: String?

    /// - Throws: `MigrationTransferError.badAddress`.
    static func dialing(_ places: [String]) throws(MigrationTransferError) -> MeetingPlan {
        for place in places { _ = try LinkPlace(place) }
        return MeetingPlan(places: places)
    }

    /// The same plan with what the person says about where to listen.
    func listening(at host: String?, _ port: Int?) -> MeetingPlan {
        var plan = self
        plan.places = []
        plan.host = host ?? self.host
        plan.port = port ?? self.port
        return plan
    }

    var dials: Bool { !places.isEmpty }
}
