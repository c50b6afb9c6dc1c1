package import Commands
package import Kernel
package import Rights

/// One method the desktop serves.
package struct RemoteMethod: Sendable {
    package var name: String
    /// What a phone must be allowed to call it: a right's name, by default the method's namespace, or a group's, which each of its
    /// rights opens. Nil: every paired phone may.
    package var permission: String?
    package var risk: Risk
    package var run: @Sendable (RemoteParameters, Caller) async throws -> JSONValue

    package init(
        _ name: String,
        permission: String?,
        risk: Risk,
        run: @escaping @Sendable (_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue
    ) {
        self.name = name
        self.permission = permission
        self.risk = risk
        self.run = run
    }

    /// A method that one right opens.
    package init(
        _ name: String,
        needs right: Right,
        risk: Risk,
        run: @escaping @Sendable (_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue
    ) {
        self.init(name, permission: right.rawValue, risk: risk, run: run)
    }

    /// A method of a skill whose right is called like its namespace.
    package init(
        _ name: String,
        risk: Risk,
        run: @escaping @Sendable (_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue
    ) {
        self.init(name, permission: Self.namespace(of: name), risk: risk, run: run)
    }

    /// The part before the last dot, for example `terminal` of `terminal.create`.
    package var namespace: String { Self.namespace(of: name) }

    static func namespace(of name: String) -> String {
        name.split(separator: ".").dropLast().joined(separator: ".")
    }
}

/// A group of methods with a state of its own, for example the terminal.
package protocol RemoteSkill: Sendable {
    var methods: [RemoteMethod] { get }
}
