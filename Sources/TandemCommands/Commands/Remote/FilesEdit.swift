import ArgumentParser
import Files
import Foundation
import Kernel

extension Files {
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Edit a text with your own editor.",
            discussion: """
                The editor is $VISUAL or $EDITOR. The text is saved when the editor ends; where the file was changed at the computer meanwhile, \
                nothing is lost: you are asked what becomes of both.
                """
        )
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The file: a text in UTF-8, at most 1 MiB.") var path: String

        func run() async throws {
            let client = FilesClient(remote.peer)
            let editor = try TextEditor(Running.console.environment)
            let text = try await client.text(path)
            let draft = try EditedDraft(text)
            do {
                try await editor.edit(draft.file)
                guard let content = try draft.changes(from: text) else {
                    draft.remove()
                    return try tell("Nothing was changed.", path: text.path, isSaved: false)
                }
                let saved = try await save(content, over: text, draft, editor, client)
                draft.remove()
                try tell("Saved \(Output.name(saved)).", path: saved, isSaved: true)
            } catch {
                if try draft.changes(from: text) == nil {
                    draft.remove()
                } else {
                    Output.complain("Your text is kept in \(TerminalText.name(draft.file.path)).")
                }
                throw error
            }
        }

        private func tell(_ sentence: String, path: String, isSaved: Bool) throws {
            guard remote.global.json else { return try Output.result(sentence) }
            try Output.json(["path": .string(path), "saved": .bool(isSaved)])
        }

        /// Saves, and asks as long as the file is another by then.
        ///
        /// - Returns: Where the text is.
        private func save(
            _ edited: Data,
            over first: EditableText,
            _ draft: EditedDraft,
            _ editor: TextEditor,
            _ client: FilesClient
        ) async throws -> String {
            var (content, text) = (edited, first)
            while true {
                do {
                    return try await client.save(content, over: text).path
                } catch let error as EditError {
                    guard case .changed(let path, let theirs) = error, Running.console.canAsk else { throw error }
                    Output.complain("\(error)")
                    switch try await choice(theirs) {
                    case .copy: return try await client.saveCopy(content, beside: path)
                    // Their text is what is replaced from now on: a third change is told again.
                    case .replace: if let theirs { text = theirs }
                    case .edit:
                        try await editor.edit(draft.file)
                        content = try draft.content()
                    case .leave: throw error
                    }
                }
            }
        }

        private enum Choice { case replace, copy, edit, leave }

        private func choice(_ theirs: EditableText?) async throws -> Choice {
            while true {
                let ways = theirs == nil ? "Save" : "See theirs [s], replace them [r], save"
                Output.complain("\(ways) a copy [c], edit again [e], or leave [l]?")
                switch (await StandardInput.line())?.lowercased() {
                case "s", "see":
                    if let theirs { try Output.text(String(decoding: theirs.content, as: UTF8.self)) }
                case "r", "replace": if theirs != nil { return .replace }
                case "c", "copy": return .copy
                case "e", "edit": return .edit
                case nil, "l", "leave": return .leave
                default: break
                }
            }
        }
    }
}

/// A text on this device while it is edited: in a folder that nobody else can read, under its own name, by which editors know what it is.
private struct EditedDraft {
    let file: URL

    init(_ text: EditableText) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-edit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        file = folder.appending(path: Self.name(text.path))
        try PrivateFile.write(text.content, to: file.path)
    }

    /// Letters that no shell, terminal or editor makes anything else of.
    private static func name(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? "text"
        let plain = last.unicodeScalars.map { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "_"
        }
        let name = String(String(plain.suffix(80)).drop { $0 == "-" || $0 == "." })
        return name.isEmpty ? "text" : name
    }

    func content() throws -> Data { try Data(contentsOf: file) }

    /// Nil where it is what it was.
    func changes(from text: EditableText) throws -> Data? {
        let content = try content()
        return content == text.content ? nil : content
    }

    func remove() { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
}
