import Commands
package import Foundation
import Kernel
package import Logging
import Rights

/// The list of skills, with their risks and whether a person has to agree. Source: `docs/protocol.md`, "Registry".
package struct RemoteSkillRegistry: Sendable {
    static let byteLimit = 1 << 20
    static let entryLimit = 1000

    package let entries: [RemoteSkillEntry]
    private let byNamespace: [String: RemoteSkillEntry]
    private let methodsByName: [String: SkillMethod]

    /// The families of methods that documented programs know, in our words: `skills.json` beside this file.
    package static let builtIn: RemoteSkillRegistry = {
        do {
            return RemoteSkillRegistry(try entries(in: PackageResources.skills_json))
        } catch {
            preconditionFailure("skills.json is part of the program and cannot be read: \(error)")
        }
    }()

    package init(_ entries: [RemoteSkillEntry]) {
        self.entries = entries
        byNamespace = Dictionary(entries.map { ($0.namespace, $0) }, uniquingKeysWith: { first, _ in first })
        methodsByName = Dictionary(
            entries.flatMap(\.methods).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The registry in `file`: a list of entries, or an object with the list as `skills`. The built-in one when the file is missing,
    /// empty or damaged.
    package static func load(from file: URL, logger: Logger) -> RemoteSkillRegistry {
        guard FileManager.default.fileExists(atPath: file.path) else { return .builtIn }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            guard let size, size <= byteLimit else { throw CocoaError(.fileReadTooLarge) }
            let entries = try entries(in: Data(contentsOf: file))
            return entries.isEmpty ? .builtIn : RemoteSkillRegistry(Array(entries.prefix(entryLimit)))
        } catch {
            logger.error(
                "the stored skill registry could not be read; the built-in one holds",
                metadata: ["file": "\(file.path)", "reason": "\(error)"]
            )
            return .builtIn
        }
    }

    private static func entries(in file: some Collection<UInt8>) throws -> [RemoteSkillEntry] {
        let value = try JSONValue(parsing: file)
        return try (value["skills"] ?? value).decode(as: [RemoteSkillEntry].self)
    }

    package subscript(namespace: String) -> RemoteSkillEntry? { byNamespace[namespace] }

    /// The skill that a method of this name belongs to. Nil: no program is known to have it.
    package func entry(ofMethod name: String) -> RemoteSkillEntry? {
        // `system.info` is a skill and, for some programs, a method.
        if let entry = byNamespace[name] { return entry }
        let namespace = RemoteMethod.namespace(of: name)
        return byNamespace[namespace] ?? Self.otherNames[namespace].flatMap { byNamespace[$0] }
    }

    /// Namespaces on the wire of skills that are called otherwise.
    private static let otherNames = ["sysinfo": "system.info", "screen": "display"]

    func method(_ name: String) -> SkillMethod? { methodsByName[name] }

    func riskOverride(of method: String) -> Risk? { methodsByName[method]?.riskOverride }

    /// Whether a person has to have said yes: what the method says of itself, else its own risk, else its skill's word. What belongs to no
    /// known skill needs it.
    package func requiresApproval(_ method: String) -> Bool {
        guard let entry = entry(ofMethod: method) else { return true }
        let known = methodsByName[method]
        return known?.requiresApprovalOverride ?? known?.riskOverride.map { $0 == .privileged }
            ?? entry.requiresApproval
    }
}
