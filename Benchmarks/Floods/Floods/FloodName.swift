import ArgumentParser

/// The floods, in the order they run.
enum FloodName: String, CaseIterable, ExpressibleByArgument {
    case calm, idle, registrations, unfinished, heads, stray, proven, aliases, acks, routes

    /// - Parameter isShort: Whether it runs for the checks and not for figures.
    func make(for household: Household, isShort: Bool) throws -> any Flood {
        switch self {
        case .calm: Calm()
        case .idle: IdleFlood()
        case .registrations: RegistrationFlood(goal: isShort ? 20_000 : 1_000_000)
        case .unfinished: UnfinishedFlood()
        case .heads: SlowHeadsFlood()
        case .stray: StrayFlood(witness: household.target == .hub ? try MailVictim(port: household.server.port) : nil)
        case .proven: ProvenFlood(goal: isShort ? 4_000 : 40_000)
        case .aliases: AliasFlood()
        case .acks: try AckFlood(household)
        case .routes: RouteFlood(household)
        }
    }

    /// How long it runs at most.
    func seconds(for target: Household.Target, isShort: Bool) -> Double {
        if isShort { return self == .calm ? 0.5 : 1.8 }
        return switch self {
        case .calm: 5
        case .registrations: target == .proxied ? 20 : 1200
        // Longer than what the server waits for a registration, or for a head.
        case .idle, .heads: 20
        // Longer than what it waits for a message's last byte.
        case .unfinished: 40
        case .stray, .proven: 20
        case .aliases, .acks: 10
        // It ends when all ids had their turn.
        case .routes: 60
        }
    }

    /// Where its strangers come from: limits that hold for each address must be there, and must not be all there is.
    func sources(for target: Household.Target, isShort: Bool) -> [Sources] {
        guard target != .proxied else { return [.calm, .idle, .registrations].contains(self) ? [.one] : [] }
        return switch self {
        case .calm: [.one]
        case .idle: isShort ? [.many(5_000)] : [.one, .many(5_000)]
        case .unfinished, .registrations: [.many(1_000)]
        case .stray, .proven: isShort ? [.one] : [.one, .many(100)]
        case .aliases: isShort ? [.one] : [.one, .many(50)]
        case .heads, .acks, .routes: [.many(50)]
        }
    }
}
