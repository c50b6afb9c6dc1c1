import Commands
import Rights

/// The right that a method of a computer needs, for computers that know nothing of rights: this phone's person is asked about it
/// before such a method goes out in the clear. Source: `docs/protocol.md`, "Skills and risk".
struct ClearMethodRights: Sendable {
    let methods: MethodCatalogue
    let rights: RightsCatalogue

    /// Nil for what every paired phone may ask. What is not known here may do anything, so it needs the highest right.
    func right(for method: String) -> Right? {
        // Take the right that gives the least, where several open a method.
        if let declared = methods[method] { return declared.permission.flatMap { rights.sorted($0.rights).first } }
        let namespace = method.split(separator: ".").dropLast().joined(separator: ".")
        let declaration = rights.declarations.first {
            $0.namespaces.contains(method) || $0.namespaces.contains(namespace)
        }
        return declaration?.right ?? rights.highest
    }

    func needsDirectWay(_ right: Right) -> Bool { rights[right]?.needsDirectWay ?? true }
}
