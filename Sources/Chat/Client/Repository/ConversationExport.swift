import Chat
import Foundation
import Kernel

/// Writes everything that an account has said and received into a folder: a file of JSON lines for each conversation, and its media beside it.
struct ConversationExport: Sendable {
    let repository: ChatRepository
    let media: any ChatMediaDesk
    let work: BlockingWork

    /// Messages that are read at a time.
    private static let part = 200

    /// - Parameter path: A folder on this machine, which is made where it is missing.
    /// - Throws: ``ChatError/folderInUse(_:)`` for one that holds something, ``ChatError/notWritten(_:)``.
    func write(to path: String) async throws -> ChatControl.Exported {
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        try await work.run { try Self.makeFolder(folder) }
        var exported = ChatControl.Exported(folder: folder.path, conversations: 0, messages: 0, files: 0)
        for id in try await repository.written() {
            let counts = try await write(id, to: folder)
            exported.conversations += 1
            exported.messages += counts.messages
            exported.files += counts.files
        }
        return exported
    }

    private static func makeFolder(_ folder: URL) throws {
        let files = FileManager.default
        if files.fileExists(atPath: folder.path) {
            let held = try? files.contentsOfDirectory(atPath: folder.path)
            guard held?.isEmpty == true else { throw ChatError.folderInUse(folder.path) }
            return
        }
        do {
            try files.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ChatError.notWritten(folder.path)
        }
    }

    private func write(_ id: ConversationID, to folder: URL) async throws -> (messages: Int, files: Int) {
        let url = folder.appending(path: "\(id.text).jsonl")
        let lines = try await work.run { try LineFile(url) }
        var (messages, files) = (0, 0)
        var pages: [Int64?] = [nil]
        // The oldest first, in bounded parts: the beginnings are found from the end.
        while let before = pages.last, !Task.isCancelled {
            let page = try await repository.history(of: id, before: before, limit: Self.part)
            guard !page.isEnd, let first = page.messages.compactMap(\.seq).first else { break }
            pages.append(first)
        }
        for before in pages.reversed() {
            try Task.checkCancellation()
            let page = try await repository.history(of: id, before: before, limit: Self.part)
            for entry in page.messages {
                var line = try JSONValue(encoding: entry)
                let copied = try await copyMedia(of: entry, id, to: folder)
                if !copied.isEmpty { line = line.adding("files", .array(copied.map { .string($0) })) }
                let bytes = line.canonicalBytes
                try await work.run { try lines.add(bytes) }
                messages += 1
                files += copied.count
            }
        }
        try await work.run { try lines.close() }
        return (messages, files)
    }

    /// - Returns: The paths of the copies within the folder. What cannot be had any more is left out.
    private func copyMedia(
        of entry: ChatControl.MessageEntry,
        _ id: ConversationID,
        to folder: URL
    ) async throws -> [String] {
        let count = entry.kind == .image ? entry.pictures.count : entry.kind == .voice ? 1 : 0
        guard count > 0, entry.status == .sent else { return [] }
        var names: [String] = []
        for index in 0..<count {
            let source: ChatControl.File
            do {
                source = try await media.file(of: repository.media(entry.id, in: id), at: index)
            } catch let error as any ClassifiedError where error.facts.kind != .offline {
                continue
            }
            let name = "\(id.text)-\(entry.seq ?? 0)-\(index + 1).\(Self.suffix(source.type))"
            try await work.run {
                do {
                    try FileManager.default.copyItem(
                        at: URL(filePath: source.path),
                        to: folder.appending(path: name)
                    )
                } catch {
                    throw ChatError.notWritten(folder.path)
                }
            }
            names.append(name)
        }
        return names
    }

    private static func suffix(_ type: String) -> String {
        let known = [
            "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/heic": "heic",
            "audio/mp4": "m4a", "audio/aac": "aac", "audio/amr": "amr", "audio/ogg": "ogg", "audio/wav": "wav",
        ]
        return known[type] ?? "bin"
    }
}

/// A new file of lines, closed to other users.
private final class LineFile: Sendable {
    private let handle: FileHandle
    private let path: String

    init(_ url: URL) throws {
        path = url.path
        let isMade = FileManager.default.createFile(
            atPath: path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade, let handle = FileHandle(forWritingAtPath: path) else { throw ChatError.notWritten(path) }
        self.handle = handle
    }

    func add(_ line: [UInt8]) throws {
        do { try handle.write(contentsOf: Data(line + [0x0A])) } catch { throw ChatError.notWritten(path) }
    }

    func close() throws {
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw ChatError.notWritten(path)
        }
    }
}

extension ChatRepository {
    /// Conversations that something was written in, in the order of their ids.
    func written() async throws -> [ConversationID] {
        try await stored.read { try $0.conversations().filter { $0.newest > 0 }.map(\.id) }
            .sorted { $0.text < $1.text }
    }
}
