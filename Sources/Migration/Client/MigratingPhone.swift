import Journal
import Kernel
import Synchronization
package import TandemPhone

/// The phone of a migration, as its feature finds it. Features are made before their phone, which is made of them; the composition opens this once
/// the phone is there. The phone owns its features, so that they only know it.
package final class MigratingPhone: Sendable {
    private struct Place { weak var phone: Phone? }

    private let place = Mutex(Place())

    private let isOpen = LatestValue(false)

    package init() {}

    package func open(_ phone: Phone) {
        place.withLock { $0.phone = phone }
        isOpen.set(true)
    }

    /// Returns once the phone is there, or when the task is cancelled.
    func untilOpen() async { for await isOpen in isOpen.values() where isOpen { return } }

    /// - Throws: ``MigrationClientError/notMovable`` before the phone is there, and when it is gone.
    var phone: Phone {
        get throws(MigrationClientError) {
            guard let phone = place.withLock(\.phone) else { throw .notMovable }
            return phone
        }
    }

    /// - Throws: ``MigrationClientError/notMovable`` for a phone without a journal.
    var journal: JournalFeature {
        get throws(MigrationClientError) {
            guard let journal = try phone.feature(JournalFeature.self) else { throw .notMovable }
            return journal
        }
    }
}
