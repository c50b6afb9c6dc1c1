import Foundation
import GRDB
import Kernel
import Power
import PowerHost
import SavedCommands
import Synchronization

@testable import SavedCommandsHost

/// The owner's part of the saved commands: says which phones may run those that the recorded requests name.
final class RecordingCommands: Sendable {
    private let skill = Mutex<SavedCommandsSkill?>(nil)

    func made(_ made: SavedCommandsSkill) { skill.withLock { $0 = made } }

    func permit(_ phone: String) async throws {
        for command in ["c-1", "c-2", "c-3"] {
            let permit = SavedCommandPermit(command: command, device: phone, allowed: true)
            _ = try await skill.withLock(\.self)?.permit(permit)
        }
    }
}

/// Starts programs that print nothing and end when they are asked to, each start noted.
final class RecordingLauncher: CommandLauncher {
    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    func start(_ words: [String], in folder: String?) async throws(CommandStartError) -> any RunningCommand {
        log.note("start a program")
        guard words != ["missing"] else { throw .missing("missing") }
        return RecordingProgram()
    }

    /// Saves the commands that the recorded requests name.
    static func save(in database: any DatabaseWriter) throws {
        let commands = [
            try SavedCommand(
                id: "c-1",
                name: "greet",
                program: .arguments(["echo", "hello"]),
                timeoutSeconds: 60
            ),
            try SavedCommand(
                id: "c-2",
                name: "deploy",
                program: .shell("make"),
                needsConfirmation: true
            ),
            try SavedCommand(id: "c-3", name: "lost", program: .arguments(["missing"])),
            try SavedCommand(id: "c-4", name: "private", program: .shell("true")),
        ]
        try database.write { database in
            for command in commands {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO savedCommand (id, body) VALUES (?, ?)",
                    arguments: [command.id, JSONValue(encoding: command).canonicalText]
                )
            }
        }
    }
}

private final class RecordingProgram: RunningCommand {
    private let isOver = LatestValue(false)

    var processID: Int { 1 }

    func read(upTo limit: Int) async -> [UInt8]? {
        for await isOver in isOver.values() where isOver { break }
        return nil
    }

    func end() { isOver.set(true) }

    func ended() async -> CommandExit { .killed(signal: 15) }
}

/// A computer that can neither be locked nor sleep until it was asked to.
final class RecordingPower: PowerAccess {
    private let log: EffectLog
    private let isReady = Mutex(false)

    init(log: EffectLog) { self.log = log }

    func lockObstacle() async -> String? { isReady.withLock(\.self) ? nil : "\(PowerError.noSession)" }

    func sleepObstacle() async -> String? { isReady.withLock(\.self) ? nil : "\(PowerError.cannotSleep)" }

    func interfaces() async -> [PowerStatus.Interface] {
        [("eth0", "52:54:00:12:34:56", true), ("usb0", "52:54:00:12:34:57", nil)].compactMap { name, text, isWakeOn in
            HardwareAddress(text).map { PowerStatus.Interface(name: name, address: $0, isWakeOn: isWakeOn) }
        }
    }

    func lock() async throws(PowerError) {
        log.note("lock the screen")
        isReady.withLock { $0 = true }
    }

    func sleep() async throws(PowerError) { log.note("sleep") }

    func wake(_ packets: [MagicPacket]) async throws(PowerError) -> Int {
        log.note("wake a computer")
        return packets.count
    }
}
