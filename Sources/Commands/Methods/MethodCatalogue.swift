/// The methods that a program's features declare, by every name they are called by.
package struct MethodCatalogue: Sendable {
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

    package subscript(name: String) -> MethodDeclaration? { byName[name] }
}
