import Clipboard
import CommandClient
import Commands
import Files
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Storage
import Synchronization

/// A phone's database in a folder of its own, which goes when the scene does.
final class QueueScene: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-queue-\(UUID().uuidString)")
    let clock = ManualClock()
    static let desktop = "pc-1"

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    // What stays behind is in the temporary folder.
    deinit { try? FileManager.default.removeItem(at: folder) }

    func database() throws -> DatabasePool {
        try StateDatabase.open(
            folder.appending(path: "state.sqlite"),
            schema: [SQLiteOfflineCommandStore.migrations]
        )
    }

    func store() throws -> SQLiteOfflineCommandStore {
        try SQLiteOfflineCommandStore(database(), logger: Logger(label: "test"))
    }

    func queue(_ store: (any OfflineCommandStore)? = nil) throws -> OfflineCommandQueue {
        OfflineCommandQueue(
            store: try store ?? self.store(),
            policy: RemoteCallPolicy(ClipboardMethods.all + FileMethods.all),
            time: clock
        )
    }
}

extension OfflineCommandQueue {
    /// Queues `clipboard.set` with this text.
    @discardableResult
    func enqueue(text: String, for desktop: String = QueueScene.desktop) async throws -> QueuedCommand {
        try await enqueue("clipboard.set", ["type": "text", "content": .string(text)], for: desktop)
    }

    func contents() async throws -> [String] {
        try await commands().map { try $0.request().params["content"]?.stringValue ?? "" }
    }
}

/// Answers requests from a list, and then with an empty result; remembers what it was asked.
final class ScriptedDesktop: Sendable {
    typealias Answer = Result<JSONValue, any Error>

    private let state: Mutex<(answers: [Answer], requests: [CommandRequest])>

    init(_ answers: [Answer] = []) { state = Mutex((answers, [])) }

    var requests: [CommandRequest] { state.withLock(\.requests) }
    var contents: [String] { requests.compactMap { $0.params["content"]?.stringValue } }

    func invoke(_ request: CommandRequest) throws -> JSONValue {
        let answer: Answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? .success([:]) : state.answers.removeFirst()
        }
        return try answer.get()
    }
}
