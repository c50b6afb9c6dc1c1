package import Commands
package import Kernel
package import Rights

/// One method that this computer serves: its declaration, and what runs when it is called.
package struct RemoteMethod: Sendable {
    package typealias Run = @Sendable (_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue

    package let declaration: MethodDeclaration
    /// The one of the declaration's names that this entry stands for.
    package let name: String
    package let run: Run

    package init(_ declaration: MethodDeclaration, named name: String? = nil, run: @escaping Run) {
        self.declaration = declaration
        self.name = name ?? declaration.name
        self.run = run
    }

    package var permission: Permission? { declaration.permission }
    package var risk: Risk { declaration.risk }

    /// The part before the last dot, for example `terminal` of `terminal.create`.
    package var namespace: String { Self.namespace(of: name) }

    static func namespace(of name: String) -> String {
        name.split(separator: ".").dropLast().joined(separator: ".")
    }
}

extension Method {
    /// Serves the method under each of its names. What `run` refuses with goes to the phone as a failure with a code.
    package func served(
        by run: @escaping @Sendable (_ params: Parameters, _ caller: Caller) async throws -> Answer
    ) -> [RemoteMethod] {
        declaration.allNames.map { name in
            RemoteMethod(declaration, named: name) { params, caller in
                try await RemoteFailure.answering { try await run(try Parameters(wire: params), caller).wire }
            }
        }
    }
}
