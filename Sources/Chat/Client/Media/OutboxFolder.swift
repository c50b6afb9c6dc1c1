import Chat
import Crypto
import Foundation
import Kernel

/// The files of an account's messages that were not sent yet, as the person chose them. A file's name in it is ``OutgoingMedia/File/source``:
/// `CONVERSATION/MESSAGE-NUMBER`, so that the pipeline knows whose cache it belongs to. All of it blocks.
struct OutboxFolder: Sendable {
    let root: URL

    /// The name of a message's file. The message's id may be any text, so its hash stands for it.
    static func source(_ id: String, _ index: Int, in conversation: ConversationID) -> String {
        let hash = Hexadecimal.encode(SHA256.hash(data: Array(id.utf8)).prefix(16))
        return "\(conversation.text)/\(hash)-\(index)"
    }

    /// The conversation of a name; nil for one that is not ours.
    static func conversation(of source: String) -> ConversationID? {
        let parts = source.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.last, !name.isEmpty,
            name.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return parts.first.flatMap { ConversationID(String($0)) }
    }

    /// - Throws: ``ChatError/unreadableFile(_:)`` for a name that is not ours.
    func url(of source: String) throws(ChatError) -> URL {
        guard Self.conversation(of: source) != nil else { throw .unreadableFile("outbox") }
        return root.appending(path: source, directoryHint: .notDirectory)
    }

    func keep(_ bytes: [UInt8], as source: String) throws {
        let file = try url(of: source)
        try MediaDisk.make(file.deletingLastPathComponent())
        try MediaDisk.write(bytes, to: file)
    }

    /// Removes every file that no message needs.
    func sweep(keeping needed: Set<String>) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: root.path) else { return }
        for folder in try files.contentsOfDirectory(atPath: root.path) {
            let url = root.appending(path: folder, directoryHint: .isDirectory)
            for name in try files.contentsOfDirectory(atPath: url.path) where !needed.contains("\(folder)/\(name)") {
                try files.removeItem(at: url.appending(component: name, directoryHint: .notDirectory))
            }
        }
    }

    func remove(_ sources: [String]) {
        for source in sources {
            if let file = try? url(of: source) { MediaDisk.remove(file) }
        }
    }
}
