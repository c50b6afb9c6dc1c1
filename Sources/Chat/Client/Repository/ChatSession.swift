/// What exists while an account is signed in.
public struct ChatSession: Sendable {
    public let repository: ChatRepository
    public let media: any ChatMediaDesk
    /// Nil for accounts without keys.
    public let safety: (any SafetyDesk)?

    public init(_ repository: ChatRepository, media: any ChatMediaDesk, safety: (any SafetyDesk)? = nil) {
        self.repository = repository
        self.media = media
        self.safety = safety
    }

    /// Follows the server until the task is cancelled or the session is over.
    public func run() async { await repository.run() }

    /// Returns once nothing of the session runs.
    public func end() async { await repository.end() }
}
