import Commands
public import Foundation
import Kernel
import Transfers

/// A text of a computer as it was read to be edited.
public struct EditableText: Hashable, Sendable {
    /// Bytes of a text that is edited.
    public static let limit: Int64 = 1 << 20

    /// In full, as the computer says it.
    public let path: String
    /// UTF-8 without zeros, at most ``limit`` bytes.
    public let content: Data
    let base: FileBase
}

/// Why a text is not edited, or was not saved. The description is shown to the person.
public enum EditError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge(String)
    /// Neither UTF-8 nor anything else that an editor of texts leaves as it is.
    case notText(String)
    /// The computer would replace the file whatever it holds by then.
    case unguarded(String)
    /// It holds something else by now; what it holds, where that can be edited.
    case changed(String, theirs: EditableText?)

    public var description: String {
        switch self {
        case .tooLarge(let path):
            "\(path) has more than the \(EditableText.limit >> 20) MiB that are edited here. Fetch it, and send it back: tandem files get, tandem files put."
        case .notText(let path):
            "\(path) is no text in UTF-8, and editing it here would damage it. Fetch it, and open it with a program for it."
        case .unguarded(let path):
            "The computer does not look whether \(path) was changed meanwhile, so nothing was saved. Update Tandem there."
        case .changed(let path, .some):
            "\(path) was changed at the computer meanwhile, and was left as it is there."
        case .changed(let path, nil):
            "\(path) is not there any more, or is no text by now. Nothing was changed at the computer."
        }
    }
}

extension FilesClient {
    /// Reads a text to be edited.
    ///
    /// - Throws: Also ``EditError``.
    public func text(_ path: String) async throws -> EditableText {
        var content = Data()
        var params = ReadFile(path: path)
        while true {
            let part = try await read(params)
            guard part.size ?? 0 <= EditableText.limit else { throw EditError.tooLarge(path) }
            content += part.bytes
            guard content.count <= EditableText.limit else { throw EditError.tooLarge(path) }
            if part.isLast {
                guard let modified = part.modifiedMilliseconds else { throw EditError.unguarded(path) }
                guard !content.contains(0), UTF8Check.isValid(content) else { throw EditError.notText(path) }
                let base = FileBase(
                    size: Int64(content.count),
                    modifiedMilliseconds: modified,
                    checksum: try Self.checksum(of: content)
                )
                return EditableText(path: part.path.isEmpty ? path : part.path, content: content, base: base)
            }
            guard part.count > 0 else { throw TransferError.sourceChanged(path) }
            params.offset += Int64(part.count)
        }
    }

    /// Puts another content into the place of a text that still is what was read.
    ///
    /// - Returns: The text as it is from then on.
    /// - Throws: Also ``EditError``: `changed` where it is another by now, which was left as it is.
    public func save(_ content: Data, over text: EditableText) async throws -> EditableText {
        do {
            _ = try await send(content, to: text.path, basedOn: text.base)
            let base = FileBase(
                size: Int64(content.count),
                modifiedMilliseconds: nil,
                checksum: try Self.checksum(of: content)
            )
            return EditableText(path: text.path, content: content, base: base)
        } catch let error as CancellationError {
            throw error
        } catch let error as EditError {
            throw error
        } catch {
            // Whatever the answer was, if one came: the file says how it stands.
            let now: EditableText?
            do { now = try await current(text.path) } catch _ { throw error }
            if let now, now.content == content { return now }
            guard let now, now.content == text.content else { throw EditError.changed(text.path, theirs: now) }
            throw error
        }
    }

    /// Nil where nothing is there that could be edited.
    private func current(_ path: String) async throws -> EditableText? {
        guard try await existence(path).exists else { return nil }
        do { return try await text(path) } catch is EditError { return nil }
    }

    /// Saves a text under a free name beside another.
    ///
    /// - Returns: Where it is.
    public func saveCopy(_ content: Data, beside path: String) async throws -> String {
        for number in 2... {
            let copy = Self.copyName(path, number)
            guard try await !existence(copy).exists else { continue }
            return try await send(content, to: copy, basedOn: nil)
        }
        throw EditError.changed(path, theirs: nil)
    }

    /// `report (2).txt`, as the page names what it keeps both of.
    static func copyName(_ path: String, _ number: Int) -> String {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let name = path[start...]
        let end = name.lastIndex(of: ".").flatMap { $0 > start ? $0 : nil } ?? path.endIndex
        return "\(path[..<end]) (\(number))\(path[end...])"
    }

    private func send(_ content: Data, to path: String, basedOn base: FileBase?) async throws -> String {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let checksum = try Self.checksum(of: content)
        var params = RequestUpload(fileName: String(path[start...]), fileSize: Int64(content.count))
        params.folder = start == path.startIndex ? "." : String(path[..<start])
        params.checksum = checksum
        params.source = UUID().uuidString
        params.chunkSize = FileLimits.chunks.upperBound
        params.basedOn = base
        let begun = try await peer.call(FileMethods.requestUpload, params)
        let id = begun.terms.transferID
        do {
            guard base == nil || begun.isGuarded else { throw EditError.unguarded(path) }
            let size = Int(begun.terms.chunkSize)
            for (index, offset) in stride(from: 0, to: content.count, by: size).enumerated() {
                let bytes = content.dropFirst(offset).prefix(size)
                let chunk = UploadChunk(transferID: id, index: Int64(index), bytes: Data(bytes))
                _ = try await peer.call(FileMethods.uploadChunk, chunk)
            }
            let done = try await peer.call(
                FileMethods.completeUpload,
                CompleteUpload(transferID: id, checksum: checksum)
            )
            return done.path ?? begun.path
        } catch {
            // It ends there by itself as well, only later.
            _ = try? await peer.call(FileMethods.cancelTransfer, NamedTransfer(id))
            throw error
        }
    }

    private static func checksum(of content: Data) throws -> String {
        var digest = FileDigest(.sha256, size: Int64(content.count))
        try digest.take(Array(content)[...], at: 0)
        return try digest.finish(named: "")
    }
}
