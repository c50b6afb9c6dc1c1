package import Commands
import Kernel

/// The policy for calls that may wait for a computer that cannot be reached.
///
/// Only those that change something and mean the same later: an answer that is read is of no use tomorrow, and what
/// belongs to a terminal or a transfer belongs to that moment.
package struct RemoteCallPolicy: Sendable {
    /// The documented calls of methods that no feature of ours serves yet. Source: `docs/protocol.md`, "Commands that wait".
    private static let documented: Set<String> = ["system.notify"]

    private let declared: [String: MethodDeclaration]

    /// - Parameter declarations: The features' methods.
    package init(_ declarations: some Sequence<MethodDeclaration>) {
        let waiting = declarations.filter(\.mayWait).flatMap { method in method.allNames.map { ($0, method) } }
        declared = Dictionary(waiting, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter method: Any of the method's names, in full.
    package func mayQueue(_ method: String) -> Bool { declared[method] != nil || Self.documented.contains(method) }

    /// Whether a call may be done a second time where the computer does not know how far it came the first time.
    func isRepeatable(_ method: String) -> Bool { declared[method]?.isRepeatable ?? false }

    /// Whether the computer would take these parameters: what it refuses is refused before it waits.
    ///
    /// - Throws: ``RemoteError/invalidArgument(_:)``.
    func check(_ method: String, _ params: JSONValue) throws(RemoteError) {
        do {
            try declared[method]?.check(params)
        } catch {
            throw .invalidArgument("\(error)")
        }
    }

    /// All that may wait, by all their names, those of the features first.
    package var methods: [String] { declared.keys.sorted() + Self.documented.sorted() }
}
