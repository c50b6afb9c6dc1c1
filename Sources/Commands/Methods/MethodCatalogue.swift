/// The methods that a program's features declare, by every name they are called by.
package struct MethodCatalogue: Sendable {
    /// The declarations in the order given, also one whose name an earlier one has.
    package let declarations: [MethodDeclaration]
    private let byName: [String: MethodDeclaration]

    /// - Parameter declarations: Of several with one name the first holds.
    package init(_ declarations: [MethodDeclaration]) {
        self.declarations = declarations
        byName = Dictionary(
            declarations.flatMap { declaration in declaration.allNames.map { ($0, declaration) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// - Parameter name: Any of a method's names, in full.
    package subscript(name: String) -> MethodDeclaration? { byName[name] }
}
