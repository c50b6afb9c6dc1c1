import Commands
import Rights

/// Which right a method of a computer needs, for computers that know nothing of rights: what this phone's person is asked about
/// before such a method goes out in the clear. Source: `docs/protocol.md`, "Skills and risk".
struct ClearMethodRights: Sendable {
    let methods: MethodCatalogue
    let rights: RightsCatalogue

    /// Nil for what every paired phone may ask. What is not known here may do anything, so it needs the highest right.
    func right(for method: String) -> Right? {
        // Of several that open a method the one that gives the least.
        if let declared = methods[method] { return declared.permission.flatMap { rights.sorted($0.rights).first } }
        let namespace = method.split(separator: ".").dropLast().joined(separator: ".")
        let declaration = rights.declarations.first {
            $0.namespaces.contains(method) || $0.namespaces.contains(namespace)
        }
        return declaration?.right ?? rights.highest
    }

    func needsDirectWay(_ right: Right) -> Bool { rights[right]?.needsDirectWay ?? true }
}
