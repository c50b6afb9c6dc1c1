import Synchronization

/// The first of the errors of several tasks, which the others follow from.
final class FirstFailure: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    func note(_ error: any Error) { failure.withLock { if $0 == nil { $0 = error } } }

    var first: (any Error)? { failure.withLock(\.self) }
}
