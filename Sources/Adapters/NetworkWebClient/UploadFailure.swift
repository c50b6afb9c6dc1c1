import Synchronization

/// Why a request's own body ended early: the library tells of its connection instead.
final class UploadFailure: Sendable {
    private let first = Mutex<(any Error)?>(nil)

    var error: (any Error)? { first.withLock { $0 } }

    func record(_ error: any Error) {
        first.withLock { first in
            if first == nil { first = error }
        }
    }
}
