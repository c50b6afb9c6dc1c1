import ArgumentParser
import Control
import Files
import Foundation
import Kernel
import Transfers

struct Files: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The shared files of a paired computer.",
        discussion: """
            Paths begin at the computer's home folder where that is shared, else at the first folder that is. A transfer that was interrupted goes on when the same is typed again.
            The computer must allow it first: tandem devices allow <phone> file
            """,
        subcommands: [
            List.self, Get.self, Put.self, Discard.self, Remove.self, Cat.self, Edit.self, Info.self, Find.self,
            MakeFolder.self, Move.self,
        ],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand, ImpliedCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List a folder.")
        @OptionGroup var remote: RemoteOptions
        @Flag(name: .shortAndLong, help: "Hidden ones too.") var all = false
        @Argument(help: "The folder. Default: where paths begin.") var path: String = ""

        var words: [String] { path.isEmpty ? [] : [path] }

        func run() async throws {
            let peer = remote.peer
            let folder = try await FilesClient(peer).list(path, showingHidden: all)
            guard remote.global.json else { return try Output.result(Files.table(folder.entries)) }
            // The entries of every part of the answer, as the computer sent them.
            let entries = peer.takeAnswers().flatMap { $0["entries"]?.arrayValue ?? [] }
            try Output.json(["entries": .array(entries)])
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
            let isInside = LocalPath.isFolder(target.path)
            let parameters = FileControl.Get(
                device: remote.target.computer,
                remote: path,
                local: isInside ? target.path : target.deletingLastPathComponent().path,
                name: isInside ? nil : target.lastPathComponent,
                replace: replace,
                mask: UInt32(Live.personsMask)
            )
            try await Files.transfer(FileControl.get, parameters, remote)
        }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a file or a folder.",
            discussion: "What arrived of one that was interrupted is kept for seven days: see tandem files discard."
        )
        @OptionGroup var remote: RemoteOptions
        @Flag(help: "Replace a file that is there already.") var replace = false
        @Argument(help: "The file or folder here.", completion: .file()) var local: String
        @Argument(help: "The folder on the computer. Default: where paths begin.") var folder: String = ""

        func run() async throws {
            let source = Live.path(typed: local).standardizedFileURL
            let parameters = FileControl.Put(
                device: remote.target.computer,
                local: source.path,
                remote: folder,
                replace: replace
            )
            try await Files.transfer(FileControl.put, parameters, remote)
        }
    }

    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Throw away what an interrupted transfer left, at the computer or here."
        )
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The file or folder here that was being sent or fetched.", completion: .file()) var local:
            String

        func run() async throws {
            let source = Live.path(typed: local).standardizedFileURL
            let parameters = FileControl.Discard(device: remote.target.computer, local: source.path)
            try await remote.global.show(FileControl.discard, parameters, of: .phone) {
                switch $0.count {
                case 0: "Nothing is left of it."
                case 1: "Threw away what was left of 1 file."
                default: "Threw away what was left of \($0.count) files."
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rm", abstract: "Move to the computer's trash.")
        @OptionGroup var remote: RemoteOptions
        @Flag(name: .shortAndLong, help: "A folder with everything in it.") var recursive = false
        @Flag(help: "Delete for good instead.") var force = false
        @Argument(help: "The file or folder.") var path: String

        func run() async throws {
            try await remote.show({
                try await FilesClient($0).delete(path, recursively: recursive, forGood: force)
            }) { deleted in
                deleted.isInTrash ? "Moved \(Output.name(path)) to the trash." : "Deleted \(Output.name(path))."
            }
        }
    }

    struct Cat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a file.",
            discussion: "With --json one JSON value for each part of it, with that part in base64."
        )
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The file.") var path: String

        func run() async throws {
            let peer = remote.peer
            try await FilesClient(peer).read(path) { part in
                guard remote.global.json else { return try show(part) }
                for answer in peer.takeAnswers() { try Output.json(answer) }
            }
        }

        /// Shows only text on a terminal: anything else would act on it.
        private func show(_ content: Data) throws {
            guard Running.console.isTerminal(.output) else { return try Output.content(content, to: nil) }
            let text = String(decoding: content, as: UTF8.self)
            guard !text.contains("\0") else {
                throw CommandError.empty(
                    "\(TerminalText.name(path)) is no text. Send it into a file: tandem files cat … > FILE"
                )
            }
            try Output.text(text)
        }
    }

    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what is known of a file.")
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The file or folder.") var path: String

        func run() async throws {
            try await remote.show({
                guard let file = try await FilesClient($0).information(path) else {
                    throw CommandError.notThere(path: path)
                }
                return file
            }) { Files.table([$0]) }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Search by name; * and ? stand for anything.")
        @OptionGroup var remote: RemoteOptions
        @Option(
            name: [.customLong("in")],
            help: ArgumentHelp("The folder to search. Default: where paths begin.", valueName: "folder")
        )
        var folder = ""
        @Argument(help: "The name, or a part of it.") var name: String

        func run() async throws {
            try await remote.show({ try await FilesClient($0).search(SearchFiles(name, in: folder)) }) { found in
                found.entries.isEmpty
                    ? "Nothing is called that." : found.entries.map { Output.name($0.path) }.joined(separator: "\n")
            }
        }
    }

    struct MakeFolder: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "mkdir", abstract: "Create a folder.")
        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The folder.") var path: String

        func run() async throws {
            try await remote.show({ try await FilesClient($0).makeFolder(path) }) { folder in
                "Created \(Output.name(folder.path.isEmpty ? path : folder.path))."
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
            let peer = remote.peer
            let moved = try await FilesClient(peer).move(path, to: target, replacing: replace)
            // The last one: whether the target is a folder was asked before.
            if let answer = peer.lastAnswer { return try Output.json(answer) }
            try Output.result("It is \(Output.name(moved.path.isEmpty ? target : moved.path)) now.")
        }
    }

    /// Runs a transfer of the phone's and says how far it is, where a person looks.
    private static func transfer<Parameters>(
        _ method: ControlStream<Parameters, FileControl.Step, TransferReport>,
        _ parameters: Parameters,
        _ remote: RemoteOptions
    ) async throws {
        let console = Running.console
        let isWatched = console.isTerminal(.error) && !remote.global.json
        let wire = try await remote.client.call(method.asWire, parameters) { item in
            guard isWatched, let step = try? item.decode(as: FileControl.Step.self) else { return }
            let line = "\(Output.size(step.done)) of \(Output.size(step.total))"
            try console.write(Data("\r\u{1B}[K\(line)".utf8), to: .error)
        }
        if isWatched { try console.write(Data("\r\u{1B}[K".utf8), to: .error) }
        let report: TransferReport = try wire.controlAnswer()
        if remote.global.json { try Output.json(wire) } else { try Output.result(summary(of: report)) }
        if !remote.global.json {
            for path in report.grown ?? [] {
                let name = TerminalText.line(path)
                Output.complain("\(name) grew meanwhile: what stood there at the beginning has arrived.")
            }
        }
        guard !report.skipped.isEmpty else { return }
        if !remote.global.json {
            Output.complain("Left out:")
            for sentence in report.skipped { Output.complain("  " + TerminalText.line(sentence)) }
        }
        throw CommandError.incomplete(skipped: report.skipped.count)
    }

    private static func summary(of report: TransferReport) -> String {
        let (files, present) = (report.files, report.present)
        let rest = present == 0 ? "" : " \(present) more \(present == 1 ? "was" : "were") there already."
        let size = Output.size(report.bytes)
        return "\(files) \(files == 1 ? "file" : "files"), \(size), in \(Output.name(report.path)).\(rest)"
    }

    private static func table(_ entries: [FileEntry]) -> String {
        guard !entries.isEmpty else { return "The folder is empty." }
        return Output.table(
            ["TYPE", "SIZE", "CHANGED", "NAME"],
            entries.map {
                [
                    $0.kind.rawValue, Output.size($0.size ?? 0), $0.modifiedMilliseconds.map(Output.moment) ?? "",
                    Output.name($0.nameText),
                ]
            }
        )
    }
}
