import Notifications
import Synchronization

/// The truth that a simulation is held against: how every notification stands at the computer, what each phone has to show of that, and what
/// it showed.
final class ShowingLedger: Sendable {
    /// One wish of a row to be noticed, at one phone.
    struct Showing: Hashable, Sendable {
        let phone: Int
        let id: String
        let alert: Int64
    }

    /// A row as the computer has it.
    struct Row: Sendable {
        var alert: Int64 = 0
        var sequence: Int64 = 0
        var title = ""
        var isRead = false
        var isDeleted = false
        var isSilenced = false
    }

    private enum Due {
        /// Exactly once.
        case once
        /// At most once: it was read, deleted or replaced before the phone showed it.
        case maybe
    }

    private struct State {
        var rows: [String: Row] = [:]
        /// The only phone that sees a row; others are everyone's.
        var audiences: [String: Int] = [:]
        var due: [Showing: Due] = [:]
        var shown: [Showing: Int] = [:]
        /// Of rows that never changed, the last that each phone showed.
        var last: [Int: Int64] = [:]
        var inPlace = 0
        var mistakes: [String] = []
    }

    private let phones: Range<Int>
    private let state = Mutex(State())

    init(phones: Range<Int>) { self.phones = phones }

    var rows: [String: Row] { state.withLock(\.rows) }
    /// Showings that were due exactly once.
    var dueCount: Int { state.withLock { $0.due.values.count { $0 == .once } } }
    var shownCount: Int { state.withLock(\.shown.count) }
    /// Showings of what stood on the screen already.
    var inPlaceCount: Int { state.withLock(\.inPlace) }

    func audience(of id: String) -> Int? { state.withLock { $0.audiences[id] } }

    // MARK: What happens

    /// Only one phone sees this row. Said before the row is ``note(_:)``d.
    func reserve(_ id: String, for phone: Int) { state.withLock { $0.audiences[id] = phone } }

    /// How a row stands at the computer from now on.
    func note(_ change: NotificationChanges.Change) {
        state.withLock { state in
            switch change {
            case .deleted(let id, let sequence):
                guard var row = state.rows[id] else { return }
                excuse(&state, id, row.alert)
                row.isDeleted = true
                row.sequence = sequence
                state.rows[id] = row
            case .kept(let notification):
                let id = notification.id
                let earlier = state.rows[id]
                let row = Row(
                    alert: notification.alert ?? 0,
                    sequence: notification.sequence ?? 0,
                    title: notification.title,
                    isRead: notification.isRead,
                    isSilenced: notification.isSilenced
                )
                if let earlier, earlier.alert != row.alert { excuse(&state, id, earlier.alert) }
                if row.alert != earlier?.alert, !row.isRead, !row.isSilenced {
                    for phone in audience(state, id) {
                        state.due[Showing(phone: phone, id: id, alert: row.alert)] = .once
                    }
                }
                if row.isRead { excuse(&state, id, row.alert) }
                state.rows[id] = row
            }
        }
    }

    /// The person marked these on one phone: what it has not shown by now it need not show any more.
    func excuse(_ ids: [String], on phone: Int) {
        state.withLock { state in
            for id in ids { excuse(&state, id, state.rows[id]?.alert ?? 0, on: phone..<phone + 1) }
        }
    }

    /// A banner appeared on a screen where it was not before.
    func show(_ showing: Showing) {
        state.withLock { state in
            state.shown[showing, default: 0] += 1
            if state.shown[showing] != 1 { state.mistakes.append("shown again: \(showing)") }
            guard let due = state.due[showing] else {
                return state.mistakes.append("shown without need: \(showing)")
            }
            guard due == .once, state.rows[showing.id]?.sequence == showing.alert else { return }
            if showing.alert < state.last[showing.phone] ?? 0 { state.mistakes.append("out of order: \(showing)") }
            state.last[showing.phone] = showing.alert
        }
    }

    /// One was shown in the place of itself.
    func showInPlace() { state.withLock { $0.inPlace += 1 } }

    private func audience(_ state: State, _ id: String) -> Range<Int> {
        state.audiences[id].map { $0..<$0 + 1 } ?? phones
    }

    private func excuse(_ state: inout State, _ id: String, _ alert: Int64, on phones: Range<Int>? = nil) {
        for phone in phones ?? audience(state, id) {
            let showing = Showing(phone: phone, id: id, alert: alert)
            if state.due[showing] != nil, state.shown[showing] == nil { state.due[showing] = .maybe }
        }
    }

    // MARK: What has to hold

    /// What was shown twice, without need, out of order or not at all, in words.
    var mistakes: [String] {
        state.withLock { state in
            state.mistakes
                + state.due.filter { $0.value == .once && state.shown[$0.key] == nil }.map { "not shown: \($0.key)" }
                .sorted()
        }
    }
}
