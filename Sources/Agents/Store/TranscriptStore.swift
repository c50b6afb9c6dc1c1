import AgentHistory
package import Foundation
import Kernel
import SystemPackage

/// Transcripts of agents that keep no history that is known here: `agents/NAME/ID.jsonl` below the state folder.
package struct TranscriptStore: Sendable {
    /// Bytes of a session's id.
    static let idLimit = 150

    package let folder: URL

    /// - Parameters:
    ///   - state: The state folder.
    ///   - agent: The name behind `acp:`.
    package init(state: URL, agent: String) { folder = state.appending(path: "agents/\(agent)") }

    func path(of id: String) -> String {
        folder.appending(path: TranscriptHistory.fileName(of: id)).path(percentEncoded: false)
    }

    func writer(of id: String) throws -> TranscriptWriter {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let file = try FileDescriptor.open(
            FilePath(path(of: id)),
            .readWrite,
            options: [.append, .create, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        return try TranscriptWriter(file)
    }

    /// The folder that a session works in; nil for an unknown session.
    func folder(of id: String) -> String? { TranscriptHistory.folder(ofTranscript: path(of: id)) }
}
