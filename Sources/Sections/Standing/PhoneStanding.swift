/// Whether this phone may be the one that its keys name. A move copies the keys, and two phones with the same keys would end each other's sessions,
/// spend each other's tokens and lose each other's messages; so at most one of them lives at a time. A phone that gave its keys away rests from
/// the moment its data is frozen, and goes on only by the new phone's word or a person's.
///
/// ```
/// active -> handingOver -> retired -> kept          retired: the new phone said that everything is there
///                       -> kept -> retired          kept: the person, or the new phone's undoing, gave the keys back
/// ```
public enum PhoneStanding: Hashable, Sendable {
    case active
    /// The data is frozen for the new phone, whose word about it has not come.
    case handingOver(Handover)
    /// The phone goes on after a handover. The new phone may still live, too: see ``yieldsWhenReplaced``.
    case kept(Handover)
    /// The new phone has everything and is this identity now. Nothing here was deleted.
    ///
    /// - Parameters:
    ///   - at: Milliseconds since 1970-01-01T00:00:00Z.
    ///   - undoUntil: The end of the time in which the new phone can go back to what it had; the same unit.
    case retired(Handover, at: Int64, undoUntil: Int64)

    /// How long a retired phone can be taken back: as long as the new phone keeps what it replaced.
    public static let undoTime = Duration.seconds(7 * 86_400)

    /// Whether it must have no session, no token and no conversation.
    public var rests: Bool {
        switch self {
        case .active, .kept: false
        case .handingOver, .retired: true
        }
    }

    /// Whether it stands back when a server replaces its registration by another of the same keys. The phone that took the keys registers again
    /// as always; of two that both live by a person's choice, this one therefore ends, and they do not fight.
    public var yieldsWhenReplaced: Bool {
        if case .kept = self { true } else { false }
    }

    /// - Throws: ``PhoneStandingError/retired(newPhone:undoUntil:)``, ``PhoneStandingError/handingOver(newPhone:)``.
    public func requireActive() throws(PhoneStandingError) {
        switch self {
        case .active, .kept: return
        case .handingOver(let handover): throw .handingOver(newPhone: handover.newPhone)
        case .retired(let handover, _, let end): throw .retired(newPhone: handover.newPhone, undoUntil: end)
        }
    }

    /// The handover that it is about; nil for a phone that never gave its keys away.
    public var handover: Handover? {
        switch self {
        case .active: nil
        case .handingOver(let handover), .kept(let handover), .retired(let handover, _, _): handover
        }
    }

    /// The data is about to be frozen.
    ///
    /// - Throws: ``PhoneStandingError/retired(newPhone:undoUntil:)``: a retired phone has nothing that is current to give.
    public func beginning(_ handover: Handover) throws(PhoneStandingError) -> PhoneStanding {
        if case .retired(let earlier, _, let end) = self {
            throw .retired(newPhone: earlier.newPhone, undoUntil: end)
        }
        return .handingOver(handover)
    }

    /// The new phone said that everything is there. Also after a person kept this phone: the new phone's word is later than theirs.
    ///
    /// - Throws: ``PhoneStandingError/otherTransfer``.
    public func retiring(_ transferID: String, at time: Int64) throws(PhoneStandingError) -> PhoneStanding {
        switch self {
        case .retired(let handover, _, _) where handover.transferID == transferID: return self
        case .handingOver(let handover) where handover.transferID == transferID,
            .kept(let handover) where handover.transferID == transferID:
            return .retired(handover, at: time, undoUntil: time + Self.undoTime.components.seconds * 1000)
        default: throw .otherTransfer
        }
    }

    /// The transfer ended before the new phone took anything, or the new phone said that it is what it was before.
    ///
    /// - Throws: ``PhoneStandingError/otherTransfer``.
    public func givenBack(_ transferID: String) throws(PhoneStandingError) -> PhoneStanding {
        guard let handover, handover.transferID == transferID else { throw .otherTransfer }
        return .kept(handover)
    }

    /// A replaced registration shows that the new phone lives.
    public func yielding(at time: Int64) -> PhoneStanding {
        guard case .kept(let handover) = self else { return self }
        return .retired(handover, at: time, undoUntil: time + Self.undoTime.components.seconds * 1000)
    }

    /// A person said that this phone goes on.
    ///
    /// - Throws: ``PhoneStandingError/tooLate(newPhone:)`` where the new phone cannot go back any more.
    public func kept(at time: Int64) throws(PhoneStandingError) -> PhoneStanding {
        switch self {
        case .active, .kept: return self
        case .handingOver(let handover): return .kept(handover)
        case .retired(let handover, _, let end):
            guard time <= end else { throw .tooLate(newPhone: handover.newPhone) }
            return .kept(handover)
        }
    }
}

extension PhoneStanding: Codable {
    private enum CodingKeys: String, CodingKey {
        case state, handover, at, undoUntil
    }

    private enum State: String, Codable {
        case active
        case handingOver = "handing-over"
        case kept
        case retired
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(State.self, forKey: .state) {
        case .active: self = .active
        case .handingOver: self = .handingOver(try container.decode(Handover.self, forKey: .handover))
        case .kept: self = .kept(try container.decode(Handover.self, forKey: .handover))
        case .retired:
            self = .retired(
                try container.decode(Handover.self, forKey: .handover),
                at: try container.decode(Int64.self, forKey: .at),
                undoUntil: try container.decode(Int64.self, forKey: .undoUntil)
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(handover, forKey: .handover)
        switch self {
        case .active: try container.encode(State.active, forKey: .state)
        case .handingOver: try container.encode(State.handingOver, forKey: .state)
        case .kept: try container.encode(State.kept, forKey: .state)
        case .retired(_, let time, let end):
            try container.encode(State.retired, forKey: .state)
            try container.encode(time, forKey: .at)
            try container.encode(end, forKey: .undoUntil)
        }
    }
}
