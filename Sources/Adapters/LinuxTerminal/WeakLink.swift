import Synchronization

/// The way from sources of events, which are made first, to the object that owns them.
package final class WeakLink<Object: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var object: Object?
    }

    private let reference = Mutex(Reference())

    package init() {}

    package var object: Object? { reference.withLock(\.object) }

    package func attach(_ object: Object) { reference.withLock { $0.object = object } }
}
