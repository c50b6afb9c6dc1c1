import ArgumentParser
import Chat
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the devices that sealed messages of this account are for, add one, or take one out.",
            discussion: """
                A new device reads no sealed messages until a device of the list adds it. It shows four words with: tandem chat devices
                On a device of the list: tandem chat devices --add WORDS
                With --history the new device also gets what this one read of sealed conversations, but for view-once pictures. It \
                travels sealed over the hub, which keeps it for seven days.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("Add the waiting device that shows these four words.", valueName: "words"))
        var add: String?
        @Flag(help: "With --add: hand the new device what this one read of sealed conversations.")
        var history = false
        @Option(
            help: ArgumentHelp("Hand that history to the device of the list with these four words.", valueName: "words")
        )
        var handOver: String?
        @Option(help: ArgumentHelp("Take the device with these four words out.", valueName: "words"))
        var remove: String?
        @Flag(
            help:
                "Begin the list anew with this device, because all others are lost. Everybody you write with is warned."
        )
        var begin = false
        @Flag(help: "Take the list that another device of yours began, in place of the one that was here.")
        var adopt = false

        func validate() throws {
            guard [add != nil, remove != nil, handOver != nil, begin, adopt].count(where: { $0 }) <= 1 else {
                throw ValidationError("Only one of --add, --remove, --hand-over, --begin and --adopt can be given.")
            }
            guard !history || add != nil else {
                throw ValidationError("--history goes with --add. For a device of the list there is --hand-over WORDS.")
            }
        }

        func run() async throws {
            let client = global.client(for: .phone)
            let wire: JSONValue
            if let add {
                let words = Self.words(add)
                let device = try await Self.device(words, in: .waiting, client)
                let added = ChatControl.AddedDevice(did: device.did, words: words, history: history ? true : nil)
                wire = try await client.call(ChatControl.addDevice.asWire, added)
            } else if let handOver {
                let device = try await Self.device(Self.words(handOver), in: .listed, client)
                wire = try await client.call(
                    ChatControl.handOver.asWire,
                    ChatControl.HandedOver(did: device.did)
                )
            } else if let remove {
                let device = try await Self.device(Self.words(remove), in: .listed, client)
                wire = try await client.call(
                    ChatControl.removeDevice.asWire,
                    ChatControl.RemovedDevice(did: device.did)
                )
            } else if begin || adopt {
                wire = try await client.call(ChatControl.renewDevices.asWire, ChatControl.Renewal(adopt: adopt))
            } else {
                wire = try await client.call(ChatControl.devices.asWire, NoControlParameters())
            }
            try Output.result(
                global.json ? TerminalText.json(wire.canonicalText) : ChatText.devices(wire.controlAnswer())
            )
        }

        private static func words(_ typed: String) -> String { typed.lowercased().filter { !$0.isWhitespace } }

        private static func device(
            _ words: String,
            in state: ChatControl.ChatDevice.State,
            _ client: ControlClient
        ) async throws -> ChatControl.ChatDevice {
            let list: ChatControl.DeviceList =
                try await client.call(ChatControl.devices.asWire, NoControlParameters()).controlAnswer()
            guard let device = list.devices.first(where: { $0.words == words && $0.state == state }) else {
                throw ChatError.notThatDevice
            }
            return device
        }
    }
}

extension ChatText {
    /// The words of a waiting device are left out: they are to be read from its own screen.
    static func devices(_ list: ChatControl.DeviceList) -> String {
        var lines = list.devices.flatMap { device in
            let name = TerminalText.line(device.name)
            let line =
                switch device.state {
                case .this: "\(device.words)  \(name) (this device)"
                case .listed: "\(device.words)  \(name)"
                case .waiting:
                    "waits: \(name). On its screen: tandem chat devices; here: tandem chat devices --add WORDS"
                }
            return [line] + (device.handover.map(handover) ?? [])
        }
        if list.trouble != nil {
            lines.append(
                "The list is not the one that was seen before. If you began it anew elsewhere: tandem chat devices --adopt"
            )
        } else if !list.isListed, !list.devices.isEmpty {
            lines.append(
                "This device waits until one of the list adds it. Compare the words above with what your devices show; if all are lost: tandem chat devices --begin"
            )
        }
        return lines.isEmpty ? "No device of this account has keys yet." : lines.joined(separator: "\n")
    }

    /// How far a history came, below the line of its device.
    private static func handover(_ handover: ChatControl.Handover) -> [String] {
        let (done, messages) = (handover.done, handover.messages)
        let line =
            switch handover.stage {
            case .making: "history: \(done) of \(messages) messages are sealed and uploaded"
            case .offered: "history: \(messages) messages wait at the hub, for seven days; open the program there"
            case .taken: "history: \(messages) messages were handed over"
            case .lapsed: "history: nobody took it within seven days; again: tandem chat devices --hand-over WORDS"
            case .taking: "history: \(done) of \(messages) messages are here"
            case .done: "history: \(messages) messages came from another device of yours"
            }
        let more = [handover.isCut ? "the oldest messages had no room" : nil, handover.failure]
        return ([line] + more.compactMap(\.self)).map { "    " + TerminalText.line($0) }
    }
}
