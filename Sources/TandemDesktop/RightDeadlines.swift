import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Synchronization

/// When rights end that are given for a time. A right is over as soon as either clock says so: the one that people set, or the one that runs
/// evenly, also while the machine sleeps. So setting a clock back makes none last longer.
final class RightDeadlines: Sendable {
    /// A right as it was given: given again, it has another end.
    private struct Key: Hashable {
        let phone: DID
        let right: Right
        let endsAt: Date
    }

    /// The most that are kept; more than that, those of rights that were taken back are forgotten.
    private static let limit = 1024

    private let time: any TimeSource
    private let deadlines = Mutex<[Key: ContinuousClock.Instant]>([:])

    init(time: any TimeSource) { self.time = time }

    /// The rights of a phone whose time is up.
    func over(of phone: PairedPhone) -> Set<Right> {
        guard !phone.terms.isEmpty else { return [] }
        let (now, date) = (time.now, time.date)
        return Set(
            phone.terms.filter { $0.value.endsAt <= date || deadline(of: phone.did, $0.key, $0.value) <= now }.map(
                \.key
            )
        )
    }

    /// The time that a right has left, zero when it is over.
    func left(of right: Right, _ term: RightTerm, at phone: DID) -> Duration {
        max(.zero, deadline(of: phone, right, term) - time.now)
    }

    /// When the first of these phones' rights ends; nil while none does.
    func next(of phones: [PairedPhone]) -> ContinuousClock.Instant? {
        phones.flatMap { phone in phone.terms.map { deadline(of: phone.did, $0.key, $0.value) } }.min()
    }

    /// The record's right has another end now, which is as far away as the one before.
    func moved(_ right: Right, of phone: DID, from earlier: RightTerm, to term: RightTerm) {
        deadlines.withLock { deadlines in
            deadlines[Key(phone: phone, right: right, endsAt: term.endsAt)] =
                deadlines.removeValue(forKey: Key(phone: phone, right: right, endsAt: earlier.endsAt))
        }
    }

    /// Forgets what belongs to none of these records any more.
    func keep(only phones: [PairedPhone]) {
        let kept = Set(
            phones.flatMap { phone in
                phone.terms.map { Key(phone: phone.did, right: $0.key, endsAt: $0.value.endsAt) }
            }
        )
        deadlines.withLock { deadlines in
            guard deadlines.count > Self.limit || phones.allSatisfy(\.terms.isEmpty) else { return }
            deadlines = deadlines.filter { kept.contains($0.key) }
        }
    }

    /// Counted from the first look at this end, which is when it was given or when the program started.
    private func deadline(of phone: DID, _ right: Right, _ term: RightTerm) -> ContinuousClock.Instant {
        let key = Key(phone: phone, right: right, endsAt: term.endsAt)
        let (now, date) = (time.now, time.date)
        return deadlines.withLock { deadlines in
            if let known = deadlines[key] { return known }
            let deadline = now + term.left(at: date)
            deadlines[key] = deadline
            return deadline
        }
    }
}
