import Synchronization

/// Which story shows a medium first: it becomes the medium's, and the others link to it.
final class Shown: Sendable {
    private let stories = Mutex<[String: String]>([:])

    /// Whether no other story showed it before.
    func isFirst(_ medium: String, in story: String) -> Bool {
        stories.withLock { stories in
            let first = stories[medium] ?? story
            stories[medium] = first
            return first == story
        }
    }
}
