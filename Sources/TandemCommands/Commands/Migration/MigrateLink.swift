import ArgumentParser
import Control
import Foundation
import Kernel
import MigrationClient
import QRCodes

extension MigrateCommand {
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send this phone's data to a new phone, in the same network or through a hub.",
            discussion: """
                Begin on the new phone with: tandem migrate receive. It says where it listens, in its network and, where it knows a hub, in a room there. \
                Without --to and --image this phone listens, and says so. This phone rests from the moment its data is read. After a cut, or a start of \
                either program, the same command goes on where it was, with the same password.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var password: MigratePasswordOptions
        @Option(
            name: .customLong("to"),
            help: ArgumentHelp(
                "Where the new phone listens, as it says; may be given several times. The local network is tried first.",
                valueName: "place"
            )
        )
        var addresses: [String] = []
        @Option(
            help: ArgumentHelp(
                "A picture of the code that the new phone shows, in place of its PIN.",
                valueName: "file"
            ),
            completion: .file()
        )
        var image: String?
        @Option(
            help: ArgumentHelp(
                "Read the PIN from this open file descriptor. Default: $TANDEM_MIGRATE_PIN, else it is asked for.",
                valueName: "fd"
            )
        )
        var pinFd: Int32?

        @OptionGroup var listening: MigrateListeningOptions

        func run() async throws {
            let secret = password.secret
            let text = try await secret.value(
                asking: "A password of at least 10 characters, to be typed on the new phone:",
                isNew: true
            )
            let asked = MigrationControl.Send(
                addresses: addresses,
                password: text,
                code: try await code(),
                host: listening.host,
                port: listening.port.map(Int.init)
            )
            _ = try await global.client(for: .phone).call(MigrationControl.send, asked)
            let end = try await MigrateDialogue(global, password: secret, pinDescriptor: pinFd).follow()
            try Output.result(end, as: global.json) { MigrateText.end($0) }
        }

        private func code() async throws -> String? {
            guard let image else { return nil }
            return try await Live.reader.text(inFileAt: Live.path(typed: image))
        }
    }

    struct Receive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take the data of an old phone, in the same network or through a hub.",
            discussion: """
                Shows a PIN and a code for the old phone, and where this phone listens; with --from the old phone listens. Once all of it is proved \
                this phone's program starts again, which replaces its data in one step; that is kept for seven days. After a cut, or a start of either program, the same command goes on where it was.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var password: MigratePasswordOptions
        @Option(
            name: .customLong("from"),
            help: ArgumentHelp(
                "Where the old phone listens, as it says; may be given several times. The local network is tried first.",
                valueName: "place"
            )
        )
        var addresses: [String] = []
        @OptionGroup var listening: MigrateListeningOptions
        @Option(
            help: ArgumentHelp(
                "Write the code into this file, for the old phone's --image; it is written anew with each new code.",
                valueName: "file"
            ),
            completion: .file(extensions: ["png"])
        )
        var png: String?
        @Flag(help: "Replace this phone's data without asking.") var yes = false

        func run() async throws {
            guard yes || Running.console.canAsk else {
                throw ValidationError("Without a terminal, --yes says that this phone's data may be replaced.")
            }
            let asked = MigrationControl.Receive(
                host: listening.host,
                port: listening.port.map(Int.init),
                addresses: addresses.isEmpty ? nil : addresses
            )
            _ = try await global.client(for: .phone).call(MigrationControl.receive, asked)
            let picture = png.map { Live.path(typed: $0).path }
            let dialogue = MigrateDialogue(global, password: password.secret, isAgreed: yes, picture: picture)
            let end = try await MigrateRestart(client: global.client(for: .phone)).followed(dialogue.follow())
            try Output.result(end, as: global.json) { MigrateText.end($0) }
        }
    }
}

/// Where a phone listens for the other one of a move.
struct MigrateListeningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The numeric address to listen on. Default: all.", valueName: "address"))
    var host: String?
    @Option(help: ArgumentHelp("The port to listen on. Default: any.", valueName: "number"))
    var port: UInt16?
}
