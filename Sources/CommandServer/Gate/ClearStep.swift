import Commands
import Kernel

/// A command that goes on with something that was begun by another: a key for a terminal, a chunk of a file. Devices in the clear have
/// a rate of their own for these, since a person types more than a hundred keys a minute.
struct ClearStep: Hashable, Sendable {
    /// The terminal's or transfer's: text of the asker, cut to what ours are at most.
    let id: String

    /// Nil for a command that begins something.
    init?(_ request: CommandRequest, _ method: MethodDeclaration) {
        guard let parameter = method.continues else { return nil }
        id = String(request.params[parameter]?.stringValue?.prefix(64) ?? "")
    }
}
