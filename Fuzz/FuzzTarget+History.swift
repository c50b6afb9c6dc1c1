import AgentHistory
import Conversations
import Foundation

extension FuzzTarget {
    /// A line of an agent's history, whole and cut: at any place its items are bounded and have different ids.
    static let historyItems = FuzzTarget(name: "history-items") { bytes in
        for agent in Agent.known {
            let cut = bytes.count / 2
            let all = [
                LineParsing.items(of: bytes, agent: agent),
                LineParsing.items(ofCut: Array(bytes[..<cut]), tail: Array(bytes[cut...]), agent: agent),
            ]
            for items in all.compactMap(\.self) {
                guard Set(items.map(\.id)).count == items.count else { finding("two items with one id") }
                for case .userMessage(let text) in items.map(\.content) {
                    guard text.text.utf8.count <= ItemText.limit else { finding("a text out of bounds") }
                }
            }
        }
    }

    /// A whole file of an agent's history, plain or compressed by its first byte: every page ends, and nothing older comes later.
    static let historyFile = FuzzTarget(name: "history-file") { bytes in
        guard let kind = bytes.first else { return }
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-fuzz-\(getpid())")
        let name = ["rollout-a.jsonl", "rollout-a.jsonl.zst", "rollout-a.json", "a.jsonl"][Int(kind % 4)]
        let path = folder.appending(path: name)
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil,
            (try? Data(bytes.dropFirst()).write(to: path)) != nil
        else { return }
        let history: any HistoryReader =
            name == "a.jsonl" ? ClaudeHistory(environment: [:]) : CodexHistory(environment: [:])
        let limits = PageLimits(items: Int(kind / 4) + 1)
        let identity = FileIdentity(device: 0, inode: 0, size: 0, modifiedMilliseconds: 0)
        let entry = HistoryEntry(agent: history.agent, path: path.path, identity: identity, isArchived: false)
        _ = try? history.thread(of: entry, names: [:])
        var forwards = ConversationCursor.start
        while let page = try? history.page(of: path.path, from: forwards, limits: limits), !page.reachesEnd {
            guard page.newer.offset > forwards.offset else { finding("a page that does not go on") }
            forwards = page.newer
        }
        var before: ConversationCursor?
        while let page = try? history.lastPage(of: path.path, before: before, limits: limits), let older = page.older {
            guard older.offset < before?.offset ?? .max else { finding("an older page that is not older") }
            before = older
        }
    }
}
