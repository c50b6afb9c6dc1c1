import Conversations
import Foundation
import Kernel
import SystemPackage

/// Keeps attached files below the state folder, each in a folder of its own, readable by the person only.
struct AttachmentStore: Sendable {
    /// How long a file is kept.
    static let lifetime = Duration.seconds(30 * 86_400)
    /// UTF-8 bytes of a prompt's text.
    static let textLimit = 64 << 10
    /// Attachments of one prompt.
    static let countLimit = 20
    /// Bytes of one attachment.
    static let byteLimit = 16 << 20
    private static let nameLimit = 100
    private static let imageTypes: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]
    private static let imageEndings: Set<String> = ["png", "jpg", "jpeg", "gif", "webp"]

    private let folder: URL

    /// - Parameter folder: The state folder.
    init(_ folder: URL) { self.folder = folder.appending(path: "attachments") }

    /// Checks a prompt against the limits, and makes files of its attachments.
    func prepare(_ prompt: ThreadPrompt) throws(AgentError) -> PreparedPrompt {
        guard prompt.text.utf8.count <= Self.textLimit else { throw .textTooLong(limit: Self.textLimit) }
        guard prompt.attachments.count <= Self.countLimit else {
            throw .tooMany(what: "attachments", limit: Self.countLimit)
        }
        let isBlank = prompt.text.allSatisfy(\.isWhitespace)
        guard !isBlank || !prompt.attachments.isEmpty else { throw .nothingToSay }
        var prepared = PreparedPrompt(text: prompt.text)
        for attachment in prompt.attachments { prepared.files.append(try file(attachment)) }
        return prepared
    }

    private func file(_ attachment: ThreadAttachment) throws(AgentError) -> PreparedPrompt.File {
        switch attachment {
        case .path(let path):
            let values = try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey])
            guard path.hasPrefix("/"), path.utf8.count < 4096, values?.isRegularFile == true,
                FileManager.default.isReadableFile(atPath: path)
            else { throw .attachmentMissing(AgentText.line(path, limit: 500)) }
            let name = URL(filePath: path).lastPathComponent
            return PreparedPrompt.File(path: path, name: name, isImage: Self.isImage(name, type: nil))
        case .data(let given, let type, let bytes):
            let name = Self.safe(given)
            guard bytes.count <= Self.byteLimit else {
                throw .attachmentTooLarge(name: name, limit: Self.byteLimit)
            }
            do {
                let path = try keep(bytes, as: name)
                return PreparedPrompt.File(path: path, name: name, isImage: Self.isImage(name, type: type))
            } catch {
                throw .storageFailed(AgentText.line("\(error)"))
            }
        }
    }

    private func keep(_ bytes: [UInt8], as name: String) throws -> String {
        let own = folder.appending(path: UUID.randomText())
        try FileManager.default.createDirectory(
            at: own,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let path = own.appending(path: name).path(percentEncoded: false)
        let file = try FileDescriptor.open(
            FilePath(path),
            .writeOnly,
            options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .ownerReadWrite
        )
        _ = try file.closeAfter { try file.writeAll(bytes) }
        return path
    }

    /// The last part of a name, in letters that mean nothing to a shell or a folder.
    private static func safe(_ given: String) -> String {
        let last = given.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let kept = last.unicodeScalars.map { scalar -> Character in
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar)
            return isPlain ? Character(scalar) : "_"
        }
        let text = AgentText.beginning(of: String(kept), bytes: nameLimit)
        let name = text.drop { $0 == "." || $0 == "-" }
        return name.isEmpty ? "file" : String(name)
    }

    private static func isImage(_ name: String, type: String?) -> Bool {
        if let type { return imageTypes.contains(type.lowercased()) }
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        return imageEndings.contains(ending)
    }

    /// Removes what was kept for longer than ``lifetime``.
    func removeOld(at date: Date) {
        let limit = date.addingTimeInterval(-Double(Self.lifetime.components.seconds))
        let found = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        for own in found ?? [] {
            let made = try? own.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            // One that cannot be removed now is tried again the next day.
            if let made, made < limit { try? FileManager.default.removeItem(at: own) }
        }
    }
}
