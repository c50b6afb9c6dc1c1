package import Conversations
import Kernel

/// A coding agent that can be run on this computer.
package struct AgentProgram: Hashable, Sendable {
    /// The protocol that the program speaks.
    package enum Kind: Hashable, Sendable {
        /// `codex app-server`.
        case codex
        /// Claude Code's stream of JSON.
        case claudeCode
        /// The Agent Client Protocol, version 1.
        case acp
    }

    package var agent: Agent
    /// For people.
    package var name: String
    /// The program, by its path or by a name on the PATH, and its arguments.
    package var command: [String]
    /// Added to the environment of a login.
    package var environment: [String: String]
    package var kind: Kind

    package init(
        agent: Agent,
        name: String,
        command: [String],
        environment: [String: String] = [:],
        kind: Kind
    ) {
        self.agent = agent
        self.name = name
        self.command = command
        self.environment = environment
        self.kind = kind
    }

    /// Codex, by the name `codex`.
    package static let codex = AgentProgram(
        agent: .codex,
        name: "Codex",
        command: ["codex", "app-server"],
        kind: .codex
    )
    /// Claude Code, by the name `claude`.
    package static let claudeCode = AgentProgram(
        agent: .claudeCode,
        name: "Claude Code",
        command: ["claude"],
        // Threads of an entry point that begins with `sdk` are left out of lists, the agent's own too: these are a person's.
        environment: ["CLAUDE_CODE_ENTRYPOINT": "tandem"],
        kind: .claudeCode
    )

    /// An agent that a person configured. Its threads are those of `acp:NAME`.
    ///
    /// - Parameter name: 1 to 40 ASCII letters, digits, `-` and `_`; it also names a folder.
    /// - Returns: Nil for another name, and for an empty command.
    package static func acp(
        name: String,
        command: [String],
        environment: [String: String] = [:]
    ) -> AgentProgram? {
        guard name.hasOnlyLettersAndDigits(or: "-_"), (1...40).contains(name.utf8.count), let first = command.first,
            !first.isEmpty
        else { return nil }
        return AgentProgram(
            agent: Agent(rawValue: "acp:\(name)"),
            name: name,
            command: command,
            environment: environment,
            kind: .acp
        )
    }

    /// The program that has to be there, and the commands that install it and sign in.
    package var installation: AgentInstallation {
        switch kind {
        case .codex:
            AgentInstallation(program: "codex", command: "npm install -g @openai/codex", signIn: "codex login")
        case .claudeCode:
            AgentInstallation(program: "claude", command: "npm install -g @anthropic-ai/claude-code", signIn: "claude")
        case .acp: AgentInstallation(program: command.first ?? "")
        }
    }

    /// The instructions for a person whose computer lacks the program.
    var howToInstall: String {
        switch kind {
        case .codex:
            """
            Install it with `npm install -g @openai/codex`, sign in with `codex login`, and see that `codex` is on the PATH of a \
            login.
            """
        case .claudeCode:
            """
            Install it with `npm install -g @anthropic-ai/claude-code`, sign in with `claude`, and see that `claude` is on the \
            PATH of a login.
            """
        case .acp:
            "The settings name the program \(command.first ?? ""). Install it, or correct `agents` in the settings."
        }
    }
}
