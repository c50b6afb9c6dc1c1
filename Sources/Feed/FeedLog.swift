import DequeModule
import Foundation
import Kernel
import Synchronization

/// The newest changes of a live feed, numbered, so that a reader that was away goes on where it was.
///
/// One log serves every reader: a slow one holds up nothing and keeps nothing; it learns that something is missing.
package final class FeedLog<Change: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let number: UInt64
        package let change: Change
    }

    package enum News: Sendable {
        case changes([Entry])
        /// Changes after the number are not kept any more; the number from which it goes on.
        case gap(UInt64)
    }

    private struct State {
        var entries: Deque<Entry> = []
        var bytes = 0
        var number: UInt64 = 0
    }

    /// The id of this log, which ends with the process.
    package let epoch: String
    private let changeLimit: Int
    private let byteLimit: Int
    private let size: @Sendable (Change) -> Int
    private let state = Mutex(State())
    private let newest = LatestValue<UInt64>(0)

    /// - Parameters:
    ///   - changeLimit: Changes that are kept at most.
    ///   - byteLimit: Bytes of all that is kept, at most.
    ///   - epoch: Nil draws one.
    ///   - size: The bytes of one change.
    package init(
        changeLimit: Int,
        byteLimit: Int,
        epoch: String? = nil,
        size: @escaping @Sendable (Change) -> Int
    ) {
        self.changeLimit = changeLimit
        self.byteLimit = byteLimit
        self.epoch = epoch ?? UUID().uuidString.lowercased()
        self.size = size
    }

    /// The newest number; 0 before the first change.
    package var number: UInt64 { state.withLock(\.number) }

    /// - Parameter make: Makes the change of its number; called once, at once, and under a lock.
    package func append(_ make: (UInt64) -> Change) {
        let number = state.withLock { state in
            state.number += 1
            let change = make(state.number)
            state.entries.append(Entry(number: state.number, change: change))
            state.bytes += size(change)
            while state.entries.count > changeLimit || state.bytes > byteLimit,
                let oldest = state.entries.popFirst()
            {
                state.bytes -= size(oldest.change)
            }
            return state.number
        }
        tell(number)
    }

    /// Marks a gap while nothing is told for a while: a reader that asks for changes after an earlier number learns that some may be missing.
    package func interrupt() {
        let number = state.withLock { state in
            state.number += 1
            state.entries = []
            state.bytes = 0
            return state.number
        }
        tell(number)
    }

    /// Of two that append at the same time, either may come here first.
    private func tell(_ number: UInt64) { newest.update { $0 = max($0, number) } }

    package func news(after number: UInt64) -> News {
        state.withLock { state in
            guard number <= state.number else { return .gap(state.number) }
            guard number < state.number else { return .changes([]) }
            guard let first = state.entries.first, first.number <= number + 1 else { return .gap(state.number) }
            return .changes(Array(state.entries.suffix(Int(state.number - number))))
        }
    }

    /// The newest number, now and after each change.
    package func numbers() -> AsyncStream<UInt64> { newest.values() }
}

extension FeedLog.Entry: Equatable where Change: Equatable {}
extension FeedLog.News: Equatable where Change: Equatable {}
