package import AgentHistory
package import Agents
package import Capabilities
package import CommandServer
import Conversations
package import Foundation
import Kernel
import Storage
package import ThreadIndex
import Threads

/// The services of one machine that the feature works with.
package struct ThreadServices: Sendable {
    /// Readers for the agents whose files are read where they lie.
    package var readers: [any HistoryReader]
    package var watch: (any FolderWatch)?
    package var launcher: any AgentLauncher
    /// Says what `~` means.
    package var environment: [String: String]
    /// The folder for the index and for what agents keep; nil for the role's.
    package var state: URL?

    package init(
        readers: [any HistoryReader],
        watch: (any FolderWatch)?,
        launcher: any AgentLauncher,
        environment: [String: String],
        state: URL? = nil
    ) {
        self.readers = readers
        self.watch = watch
        self.launcher = launcher
        self.environment = environment
        self.state = state
    }
}

extension ThreadsSkill {
    /// The name of the setting that lists agents of the Agent Client Protocol.
    package static let agentsSetting = "agents"

    package static let manifest = FeatureManifest(
        "threads",
        rights: [.threadsRead, .threadsWrite],
        settings: [
            FeatureSetting(
                agentsSetting,
                .text,
                summary: "Agents of the Agent Client Protocol: name=command, several separated by semicolons."
            )
        ]
    )

    /// - Parameter services: The services of this machine.
    package static func maker(_ services: ThreadServices) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            let configured = try ConfiguredAgents(context.settings[agentsSetting]?.stringValue ?? "").programs
            // In memory the index is, too, and agents keep what they need in a temporary folder.
            let kept = services.state ?? context.storage.state?.url
            let state = try kept ?? context.storage.folder()
            let transcripts = configured.compactMap { program -> (any HistoryReader)? in
                program.kind == .acp
                    ? TranscriptHistory(
                        agent: program.agent,
                        folder: TranscriptStore(state: state, agent: program.name).folder.path(percentEncoded: false)
                    ) : nil
            }
            let index = try ThreadIndex(
                database: kept?.appending(path: "cache/threads"),
                readers: services.readers + transcripts,
                watch: services.watch,
                time: context.time,
                logger: context.logger
            )
            let sessions = AgentSessions(
                programs: [.codex, .claudeCode] + configured,
                state: state,
                time: context.time,
                logger: context.logger,
                launcher: services.launcher,
                version: context.version
            )
            let control = LocalAgents(sessions, environment: services.environment, time: context.time)
            return ThreadsSkill(
                library: index,
                control: control,
                outlet: context.outlet,
                observer: context.observer,
                announcements: context.announcements,
                time: context.time,
                logger: context.logger,
                checks: { await Self.checks(control) }
            )
        }
    }

    private static func checks(_ control: LocalAgents) async -> [DoctorCheck] {
        await control.agents().map { agent -> DoctorCheck in
            let check = DoctorCheck(
                name: "agent \(agent.name)",
                works: agent.isInstalled,
                detail: agent.reason ?? agent.version ?? "installed"
            )
            if !agent.isInstalled { return check.saying("agentMissing", ["name": .string(agent.name)]) }
            return agent.version == nil ? check.saying("agentInstalled") : check
        }
    }
}

/// Agents as a person lists them in the settings: `gemini=gemini --experimental-acp; other='/opt/my agent/run' --acp`.
struct ConfiguredAgents {
    static let limit = 16

    let programs: [AgentProgram]

    /// - Throws: ``ThreadSettingError`` naming what cannot be read.
    init(_ text: String) throws(ThreadSettingError) {
        var programs: [AgentProgram] = []
        for entry in try Self.words(text) where !entry.isEmpty {
            let parts = entry[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .noCommand(entry[0]) }
            let command = (parts[1].isEmpty ? [] : [String(parts[1])]) + entry.dropFirst()
            guard !command.isEmpty else { throw .noCommand(String(parts[0])) }
            guard let program = AgentProgram.acp(name: String(parts[0]), command: command) else {
                throw .badName(String(parts[0]))
            }
            guard !programs.contains(where: { $0.agent == program.agent }) else { throw .twice(program.name) }
            programs.append(program)
        }
        guard programs.count <= Self.limit else { throw .tooMany(limit: Self.limit) }
        self.programs = programs
    }

    /// The words of each entry; single and double quotes hold what is between them together.
    private static func words(_ text: String) throws(ThreadSettingError) -> [[String]] {
        var entries: [[String]] = [[]]
        var word: String?
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == ";" || character.isWhitespace {
                if let whole = word { entries[entries.count - 1].append(whole) }
                word = nil
                if character == ";" { entries.append([]) }
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { throw .openQuote }
        if let word { entries[entries.count - 1].append(word) }
        return entries
    }
}

/// Why the setting `agents` cannot be used. The description is shown to the person.
package enum ThreadSettingError: Error, Hashable, CustomStringConvertible {
    case noCommand(String)
    case badName(String)
    case twice(String)
    case tooMany(limit: Int)
    case openQuote

    package var description: String {
        let form = "Write it as name=command, for example gemini=gemini --experimental-acp"
        return switch self {
        case .noCommand(let entry): "The setting agents names no command for \(entry). \(form)"
        case .badName(let name):
            "The setting agents has the name \(name); a name is 1 to 40 letters, digits, hyphens and underscores. \(form)"
        case .twice(let name): "The setting agents names \(name) twice. Give each agent a name of its own."
        case .tooMany(let limit): "The setting agents names more than \(limit) agents. Leave some out."
        case .openQuote: "The setting agents has a quotation mark that is not closed. \(form)"
        }
    }
}
