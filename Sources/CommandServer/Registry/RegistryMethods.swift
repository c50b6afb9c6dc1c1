import Commands
package import Kernel
import Rights

/// `registry.list` and its other name: what this computer really serves, counted from the methods themselves.
/// Source: `docs/protocol.md`, "Registry".
package struct RegistryMethods: Sendable {
    private let registry: RemoteSkillRegistry
    private let served: [RemoteMethod]

    /// - Parameter served: All other methods of the router.
    package init(registry: RemoteSkillRegistry = .builtIn, serving served: [RemoteMethod]) {
        self.registry = registry
        self.served = served
    }

    package var methods: [RemoteMethod] {
        let answer = list
        return MethodDeclaration.registryList.allNames.map { name in
            RemoteMethod(.registryList, named: name) { params, _ in
                guard let namespace = try params.optionalText("namespace", limit: CommandRequest.methodLimit) else {
                    return answer
                }
                guard
                    let skill = answer["skills"]?.arrayValue?.first(where: { $0["namespace"]?.stringValue == namespace }
                    )
                else {
                    throw RemoteFailure.badParameter("namespace", "one that \(name) lists, not \(namespace)")
                }
                return ["success": true, "skills": [skill], "total": 1]
            }
        }
    }

    /// Every known skill, served or not, then what this computer serves beyond them.
    package var list: JSONValue {
        var groups: [String: [RemoteMethod]] = [:]
        for method in served {
            groups[registry.entry(ofMethod: method.name)?.namespace ?? method.namespace, default: []].append(method)
        }
        let known = registry.entries.map { describe($0, serving: groups.removeValue(forKey: $0.namespace) ?? []) }
        let beyond = groups.sorted { $0.key < $1.key }.map { namespace, methods in
            describe(Self.entry(for: namespace, serving: methods), serving: methods)
        }
        let skills = known + beyond
        return ["success": true, "skills": .array(skills), "total": .integer(Int64(skills.count))]
    }

    /// A namespace that no documented program has, so all that is known are its methods.
    private static func entry(for namespace: String, serving methods: [RemoteMethod]) -> RemoteSkillEntry {
        RemoteSkillEntry(
            namespace,
            namespace.prefix(1).uppercased() + namespace.dropFirst(),
            "Served by this computer beyond the documented skills.",
            category: "control",
            risk: methods.map(\.risk).max() ?? .privileged,
            methodCount: methods.count,
            // No entry in the registry: a person has to have said yes, unless every paired device may.
            requiresApproval: methods.contains { $0.permission != nil }
        )
    }

    private func describe(_ entry: RemoteSkillEntry, serving methods: [RemoteMethod]) -> JSONValue {
        var members: [String: JSONValue] = [
            "namespace": .string(entry.namespace), "displayName": .string(entry.displayName),
            "description": .string(entry.description), "category": .string(entry.category.rawValue),
            "risk": .string(entry.risk.rawValue), "requiresApproval": .bool(entry.requiresApproval),
            "transport": .string(entry.transport.rawValue), "served": .bool(!methods.isEmpty),
            "methodCount": .integer(Int64(methods.count)), "documentedMethodCount": .integer(Int64(entry.methodCount)),
            "methods": .array(methods.sorted { $0.name < $1.name }.map { describe($0, of: entry) }),
        ]
        if let file = entry.nativeSourceFile { members["nativeSourceFile"] = .string(file) }
        return .object(members)
    }

    private func describe(_ method: RemoteMethod, of entry: RemoteSkillEntry) -> JSONValue {
        let known = registry.method(method.name)
        let risk = max(method.risk, known?.riskOverride ?? method.risk)
        var members: [String: JSONValue] = [
            "name": .string(method.name), "description": .string(known?.description ?? method.declaration.summary),
            "paramCount": .integer(Int64(known?.parameterCount ?? 0)), "risk": .string(risk.rawValue),
            "requiresApproval": .bool(method.permission != nil || risk == .privileged),
        ]
        if risk != entry.risk { members["riskOverride"] = .string(risk.rawValue) }
        if let permission = method.permission { members["permission"] = .string(permission.name) }
        if let summary = known?.parameterSummary { members["paramSummary"] = .string(summary) }
        if let hint = known?.returnTypeHint { members["returnTypeHint"] = .string(hint) }
        return .object(members)
    }
}
