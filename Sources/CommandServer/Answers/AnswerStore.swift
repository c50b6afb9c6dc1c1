package import Commands
package import Foundation

/// The record on disk of durable commands: begun, or answered. It makes a queued command happen once, also when the desktop stops in the
/// middle.
package protocol AnswerStore: Sendable {
    /// Notes that a command begins, unless it is known. What returned nil survives a power cut.
    func begin(_ id: String, of method: String, from caller: String, now: Date) async throws -> KnownCommand?
    /// Keeps the answer of a command that began.
    func finish(_ id: String, from caller: String, with response: CommandResponse) async throws
    /// The command came to its end without doing anything that counts: another try may run.
    func forget(_ id: String, from caller: String) async throws
}

/// A durable command that was received before.
package enum KnownCommand: Hashable, Sendable {
    /// It began, and no answer was kept: how far it came is unknown.
    case begun
    case answered(CommandResponse)
}
