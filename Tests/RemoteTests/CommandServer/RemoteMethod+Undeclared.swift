import CommandServer
import Commands
import Rights

extension RemoteMethod {
    /// A method that no feature declares.
    ///
    /// - Parameter right: Nil: every paired phone may call it.
    init(_ name: String, needs right: Right?, risk: Risk, run: @escaping Run) {
        self.init(
            MethodDeclaration(
                name,
                permission: right.map { Permission($0) },
                risk: risk,
                summary: "Is called by a test."
            ),
            run: run
        )
    }

    /// A method that no feature declares, with the right that is called like its namespace.
    init(_ name: String, risk: Risk, run: @escaping Run) {
        self.init(
            name,
            needs: Right(rawValue: name.split(separator: ".").dropLast().joined(separator: ".")),
            risk: risk,
            run: run
        )
    }
}
