import ArgumentParser
import Control
import Foundation
import Kernel

struct Files: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The shared files of a paired computer.",
        discussion: """
            Paths begin at the computer's home folder where that is shared, else at the first folder that is. A transfer that was interrupted goes on when the same is typed again.
            The computer must allow it first: tandem devices allow <phone> file
            """,
        subcommands: [
            List.self, Get.self, Put.self, Remove.self, Cat.self, Info.self, Find.self, MakeFolder.self, Move.self,
        ],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List a folder.")
        @OptionGroup var remote: RemoteOptions
        @Flag(name: .shortAndLong, help: "Hidden ones too.") var all = false
        @Argument(help: "The folder. Left out: where paths begin.") var path: String = ""

        func run() async throws {
            var entries: [JSONValue] = []
            var offset: Int64? = 0
            while let next = offset {
                let answer = try await remote.call(
                    "file.listDirectory",
                    ["path": .string(path), "showHidden": .bool(all), "offset": .integer(next)]
                )
                entries += answer["entries"]?.arrayValue ?? []
                offset = answer["nextOffset"]?.integerValue
            }
            Output.result(["entries": .array(entries)], as: remote.global.json) { _ in Files.table(entries) }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Fetch a file or a folder.")
        @OptionGroup var remote: RemoteOptions
        @Flag(help: "Replace a file that is there already.") var replace = false
        @Argument(help: "The file or folder on the computer.") var path: String
        @Argument(help: "Where to put it: a folder, or a file's new name.", completion: .file()) var local: String = "."

        func run() async throws {
            let target = Live.path(typed: local).standardizedFileURL
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder)
            let isInside = exists && isFolder.boolValue
            try await Files.transfer(
                "files.get",
                [
                    "device": remote.device, "remote": .string(path), "replace": .bool(replace),
                    "local": .string(isInside ? target.path : target.deletingLastPathComponent().path),
                    "name": isInside ? .null : .string(target.lastPathComponent),
                ],
                remote
            )
        }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Send a file or a folder.")
        @OptionGroup var remote: RemoteOptions
        @Flag(help: "Replace a file that is there already.") var replace = false
        @Argument(help: "The file or folder here.", completion: .file()) var local: String
        @Argument(help: "The folder on the computer. Left out: where paths begin.") var folder: String = ""

        func run() async throws {
            let source = Live.path(typed: local).standardizedFileURL
            try await Files.transfer(
                "files.put",
                [
                    "device": remote.device, "remote": .string(folder), "replace": .bool(replace),
                    "local": .string(source.path),
                ],
                remote
            )
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rm", abstract: "Move to the computer's trash.")
        @OptionGroup var remote: RemoteOptions
        @Flag(name: .shortAndLong, help: "A folder with everything in it.") var recursive = false
        @Flag(help: "Delete for good instead.") var force = false
        @Argument(help: "The file or folder.") var path: String

        func run() async throws {
            let answer = try await remote.call(
                "file.delete",
                ["path": .string(path), "recursive": .bool(recursive), "force": .bool(force)]
            )
            Output.result(answer, as: remote.global.json) { answer in
                answer["trashed"]?.boolValue == true
                    ? "Moved \(Output.name(path)) to the trash." : "Deleted \(Output.name(path))."
            }
        }
    }

    struct Cat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print a file.")
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The file.") var path: String

        func run() async throws {
            var offset: Int64? = 0
            while let next = offset {
                let answer = try await remote.call(
                    "file.readFile",
                    ["path": .string(path), "encoding": "base64", "offset": .integer(next), "length": 393_216]
                )
                guard let content = Data(base64Encoded: answer["content"]?.stringValue ?? "") else {
                    throw CommandError.unreadableAnswer
                }
                offset = answer["isLast"]?.boolValue == false ? next + Int64(content.count) : nil
                try show(content)
            }
        }

        /// On a terminal text only: anything else would act on it.
        private func show(_ content: Data) throws {
            guard isatty(STDOUT_FILENO) == 1 else { return try Output.content(content, to: nil) }
            let text = String(decoding: content, as: UTF8.self)
            guard !text.contains("\0") else {
                throw CommandError.empty(
                    "\(TerminalText.name(path)) is no text. Send it into a file: tandem files cat … > FILE"
                )
            }
            Output.text(text)
        }
    }

    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what is known of a file.")
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The file or folder.") var path: String

        func run() async throws {
            let answer = try await remote.call("file.getFileInfo", ["path": .string(path)])
            let file = answer["file"] ?? .null
            guard file != .null else {
                if remote.global.json { Output.json(answer) }
                throw CommandError.notThere(path: path)
            }
            Output.result(answer, as: remote.global.json) { _ in Files.table([file]) }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Search by name; * and ? stand for anything.")
        @OptionGroup var remote: RemoteOptions
        @Option(name: [.customLong("in")], help: "The folder to search. Left out: where paths begin.") var folder = ""
        @Argument(help: "The name, or a part of it.") var name: String

        func run() async throws {
            let answer = try await remote.call("file.search", ["pattern": .string(name), "path": .string(folder)])
            let paths = (answer["results"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
            Output.result(answer, as: remote.global.json) { _ in
                paths.isEmpty ? "Nothing is called that." : paths.map(Output.name).joined(separator: "\n")
            }
        }
    }

    struct MakeFolder: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "mkdir", abstract: "Create a folder.")
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The folder.") var path: String

        func run() async throws {
            let answer = try await remote.call("file.createDirectory", ["path": .string(path)])
            Output.result(answer, as: remote.global.json) { _ in
                "Created \(Output.name(answer["path"]?.stringValue ?? path))."
            }
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "mv", abstract: "Rename or move.")
        @OptionGroup var remote: RemoteOptions
        @Flag(help: "Replace what is there already.") var replace = false
        @Argument(help: "The file or folder.") var path: String
        @Argument(help: "Its new path, or the folder to put it into.") var target: String

        func run() async throws {
            let answer = try await remote.call(
                "file.rename",
                ["path": .string(path), "newPath": .string(try await newPath()), "overwrite": .bool(replace)]
            )
            Output.result(answer, as: remote.global.json) { _ in
                "It is \(Output.name(answer["newPath"]?.stringValue ?? target)) now."
            }
        }

        /// Into a folder it goes under its own name, as with `mv`.
        func newPath() async throws -> String {
            let isFolder =
                if target.hasSuffix("/") { true } else {
                    try await remote.call("file.exists", ["path": .string(target)])["isDirectory"]?.boolValue == true
                }
            let name = path.split(separator: "/").last.map(String.init)
            guard isFolder, let name, path != target else { return target }
            return (target.hasSuffix("/") ? target : target + "/") + name
        }
    }

    /// Runs a transfer of the phone's and says how far it is, where a person looks.
    private static func transfer(_ method: String, _ params: JSONValue, _ remote: RemoteOptions) async throws {
        let isWatched = isatty(STDERR_FILENO) == 1 && !remote.global.json
        let answer = try await remote.client.call(method, params) { item in
            guard isWatched else { return }
            let (done, total) = (item["done"]?.integerValue ?? 0, item["total"]?.integerValue ?? 0)
            let line = "\(Output.size(done)) of \(Output.size(total))"
            FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
        }
        if isWatched { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        Output.result(answer, as: remote.global.json) { _ in
            let files = answer["files"]?.integerValue ?? 0
            let bytes = Output.size(answer["bytes"]?.integerValue ?? 0)
            let present = answer["present"]?.integerValue ?? 0
            let rest = present == 0 ? "" : " \(present) more \(present == 1 ? "was" : "were") there already."
            return
                "\(files) \(files == 1 ? "file" : "files"), \(bytes), in \(Output.name(answer["path"]?.stringValue)).\(rest)"
        }
        let skipped = answer["skipped"]?.arrayValue ?? []
        guard !skipped.isEmpty else { return }
        Output.complain("Left out:")
        for sentence in skipped { Output.complain("  " + TerminalText.line(sentence.stringValue ?? "")) }
        throw CommandError.incomplete(skipped: skipped.count)
    }

    private static func table(_ entries: [JSONValue]) -> String {
        guard !entries.isEmpty else { return "The folder is empty." }
        return Output.table(
            ["TYPE", "SIZE", "CHANGED", "NAME"],
            entries.map { entry in
                [
                    (entry["kind"] ?? entry["type"])?.stringValue ?? "", Output.size(entry["size"]?.integerValue ?? 0),
                    Output.time(entry["modified"]?.integerValue), Output.name(entry["name"]?.stringValue),
                ]
            }
        )
    }
}
