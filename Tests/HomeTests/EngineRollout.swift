import AgentHistory
import Agents
import CommandServer
import Conversations
import Foundation
import Kernel
import LinuxFolderWatch
import ThreadsHost

/// A home folder with one conversation of Codex, which the real feature reads, and no agent that could go on with it.
final class EngineRollout: Sendable {
    static let thread = ThreadReference(agent: .codex, id: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")

    /// Where the agent works, too.
    let folder: URL
    private let file: URL

    /// - Parameter messages: What the agent said after it was asked why the engine stops.
    init(_ messages: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "et-\(UUID().uuidString.prefix(8))")
            .resolvingSymlinksInPath()
        let day = folder.appending(path: ".codex/sessions/2026/01/02")
        try FileManager.default.createDirectory(at: day, withIntermediateDirectories: true)
        file = day.appending(path: "rollout-2026-01-02T05-04-05-\(Self.thread.id).jsonl")
        let head = [
            Self.line(
                "session_meta",
                [
                    "id": .string(Self.thread.id), "timestamp": "2026-01-02T03:04:05.250Z", "cwd": .string(folder.path),
                    "cli_version": "0.120.0", "source": "cli",
                ]
            ), Self.line("event_msg", ["type": "user_message", "message": "Why does the engine stop?"]),
        ]
        try Data((head + messages.map(Self.message)).joined().utf8).write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func line(_ type: String, _ payload: JSONValue) -> String {
        let line: JSONValue = ["timestamp": "2026-01-02T03:04:06.500Z", "type": .string(type), "payload": payload]
        return line.canonicalText + "\n"
    }

    private static func message(_ text: String) -> String {
        line("event_msg", ["type": "agent_message", "message": .string(text)])
    }

    /// The agent says more.
    func append(_ messages: [String]) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(messages.map(Self.message).joined().utf8))
        try handle.close()
    }

    var size: Int64 { get throws { Int64(try Data(contentsOf: file).count) } }

    private var reader: CodexHistory { CodexHistory(environment: ["HOME": folder.path], timeZone: .gmt) }

    /// Every item of the file, in its order.
    var ids: [String] {
        get throws {
            try reader.page(of: file.path, from: .start, limits: PageLimits(items: 100_000)).items.map(\.id)
        }
    }

    /// The feature as the program has it; each run of the computer makes it anew over the same index.
    var maker: CommandFeatureMaker {
        ThreadsSkill.maker(
            ThreadServices(
                readers: [reader],
                watch: LinuxFolderWatch(),
                launcher: NoPrograms(),
                environment: ["HOME": folder.path],
                state: folder.appending(path: "state")
            )
        )
    }
}

private struct NoPrograms: AgentLauncher {
    func path(of program: String) async -> String? { nil }
    func launch(_ launch: AgentLaunch) async throws(AgentLaunchError) -> any AgentProcess { throw .missing }
}
