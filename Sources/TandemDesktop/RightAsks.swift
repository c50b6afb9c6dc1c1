import Foundation
import Kernel
import Pairing
import Rights
import Sealing

/// The requests of phones for rights, as they stand: each right of a phone is asked for once at a time, ends after some minutes, and rests
/// after a no. A value without a clock: who holds it says what time it is. None of it outlives the program.
struct RightAsks: Sendable {
    /// How long a request waits for the owner.
    static let patience = Duration.seconds(10 * 60)
    /// How long a right is not asked for again after a no.
    static let restAfterNo = Duration.seconds(60 * 60)
    /// The same after a request that nobody answered.
    static let restUnanswered = Duration.seconds(10 * 60)
    /// The most requests of one phone that wait.
    static let limitOfPhone = 8
    /// The most requests that are known in all.
    static let limit = 256

    struct Ask: Hashable, Sendable {
        let phone: DID
        let right: Right
        let askedAt: Date
        var stage: RightAskState.Stage
        var until: ContinuousClock.Instant
        var untilDate: Date

        var state: RightAskState { RightAskState(stage, until: untilDate) }
    }

    enum Outcome: Hashable, Sendable {
        /// It is asked for now.
        case asked(Ask)
        /// It was asked for before.
        case known(Ask)
        /// Too many wait.
        case tooMany
    }

    private(set) var all: [Ask] = []

    var waiting: [Ask] { all.filter { $0.stage == .waiting } }

    func asks(of phone: DID) -> [Right: RightAskState] {
        all.reduce(into: [:]) { states, ask in if ask.phone == phone { states[ask.right] = ask.state } }
    }

    /// When the first of them changes by itself.
    var next: ContinuousClock.Instant? { all.map(\.until).min() }

    mutating func ask(
        _ right: Right,
        by phone: DID,
        now: ContinuousClock.Instant,
        date: Date
    ) -> Outcome {
        _ = pass(now: now, date: date)
        if let known = all.first(where: { $0.phone == phone && $0.right == right }) { return .known(known) }
        guard waiting.count(where: { $0.phone == phone }) < Self.limitOfPhone, all.count < Self.limit else {
            return .tooMany
        }
        let ask = Ask(
            phone: phone,
            right: right,
            askedAt: date,
            stage: .waiting,
            until: now + Self.patience,
            untilDate: date.addingTimeInterval(Self.patience / .seconds(1))
        )
        all.append(ask)
        return .asked(ask)
    }

    /// The owner says no.
    ///
    /// - Parameter right: Nil for all that the phone asks for.
    /// - Returns: Whether it had asked.
    mutating func refuse(_ right: Right?, of phone: DID, now: ContinuousClock.Instant, date: Date) -> Bool {
        var isAsked = false
        for index in all.indices where all[index].phone == phone && all[index].stage == .waiting {
            guard right == nil || all[index].right == right else { continue }
            isAsked = true
            rest(index, .refused, for: Self.restAfterNo, now: now, date: date)
        }
        return isAsked
    }

    /// The phone has these rights, or is gone.
    ///
    /// - Returns: Whether anything of it was known.
    @discardableResult
    mutating func forget(_ rights: Set<Right>? = nil, of phone: DID) -> Bool {
        let before = all.count
        all.removeAll { $0.phone == phone && rights?.contains($0.right) != false }
        return all.count < before
    }

    /// Time went by: what waited too long has no answer, and what rested can be asked for again.
    ///
    /// - Returns: The phones for which something changed.
    mutating func pass(now: ContinuousClock.Instant, date: Date) -> Set<DID> {
        var changed: Set<DID> = []
        for index in all.indices.reversed() where all[index].until <= now {
            changed.insert(all[index].phone)
            if all[index].stage == .waiting {
                rest(index, .unanswered, for: Self.restUnanswered, now: now, date: date)
            } else {
                all.remove(at: index)
            }
        }
        return changed
    }

    private mutating func rest(
        _ index: Int,
        _ stage: RightAskState.Stage,
        for duration: Duration,
        now: ContinuousClock.Instant,
        date: Date
    ) {
        all[index].stage = stage
        all[index].until = now + duration
        all[index].untilDate = date.addingTimeInterval(duration / .seconds(1))
    }
}
