import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Rights
import Storage
import Synchronization
import Transport

@testable import CommandServer
@testable import Commands
@testable import Files
@testable import FilesHost
@testable import LinuxFiles
@testable import Transfers

/// A phone and a desktop with their folders and databases on disk, and a connection that breaks at a step of the test's choosing.
final class CrashScene: Sendable {
    let base: String
    var desktopFolder: String { base + "/desktop" }
    var phoneFolder: String { base + "/phone" }
    private let databases: [DatabaseQueue]

    init() throws {
        base = "/tmp/tandem-crash-\(UUID().uuidString)"
        for folder in ["/desktop", "/phone"] {
            try FileManager.default.createDirectory(atPath: base + folder, withIntermediateDirectories: true)
        }
        // On disk, but without waiting for it: killing a process loses nothing that it handed to the system.
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        let schema: Schema = [SQLiteUploadJournal.migrations, SQLiteTransferJournal.migrations]
        databases = try ["desktop", "phone"].map { [base] name in
            let database = try DatabaseQueue(path: "\(base)/\(name).sqlite", configuration: configuration)
            try schema.apply(to: database)
            return database
        }
    }

    deinit {
        // What a test leaves behind is only a temporary folder.
        try? FileManager.default.removeItem(atPath: base)
    }

    func desktopJournal() throws -> SQLiteUploadJournal { SQLiteUploadJournal(databases[0]) }
    func phoneJournal() throws -> SQLiteTransferJournal { SQLiteTransferJournal(databases[1]) }

    /// Leftovers: partial files on either side.
    func parts() throws -> [String] {
        try [desktopFolder, phoneFolder].flatMap { try FileManager.default.contentsOfDirectory(atPath: $0) }
            .filter { $0.contains(".tandem-part-") }
    }
}

/// One life of both processes: everything goes through ``step()``, and after the last step nothing does any more.
final class Life: FrameOutlet {
    private struct State {
        var stepsLeft: Int
        var stepsToSleep: Int?
        var slept = Duration.zero
        var skill: FileSkill?
        var door: FrameDoor?
    }

    private let state: Mutex<State>
    private let uploads: SQLiteUploadJournal
    private let transfers: SQLiteTransferJournal
    private let caller = FileScene.caller("did:key:z6MkA")
    private let tasks = OwnedTasks()
    let client: FileTransferClient

    /// - Parameters:
    ///   - sleepingAt: The step at which three minutes pass.
    ///   - usesFrames: False for a phone or desktop that only knows JSON.
    ///   - isNear: Whether the phone reaches the computer directly. Each part that is read or written there is a step, too.
    init(
        _ scene: CrashScene,
        steps: Int,
        sleepingAt: Int? = nil,
        usesFrames: Bool,
        isNear: Bool = false,
        tuning: TransferTuning
    ) throws {
        state = Mutex(State(stepsLeft: steps, stepsToSleep: sleepingAt))
        uploads = try scene.desktopJournal()
        transfers = try scene.phoneJournal()
        let link = LifeLink()
        let deliver: @Sendable ([UInt8]) async throws -> Void = { try await link.life().deliver($0) }
        let locate: BulkDialer.Locate = {
            BulkDialer.Place(addresses: ["127.0.0.1"], session: Self.secret.session, secret: Self.secret.bytes)
        }
        client = FileTransferClient(
            desktop: "desk",
            journal: link,
            time: SceneTime(),
            tuning: tuning,
            invoke: { method, params, _ in try await link.life().invoke(method, params) },
            sendFrame: usesFrames ? deliver : nil,
            locate: isNear ? locate : nil
        )
        let files = try LinuxFileAccess(home: scene.desktopFolder, trash: scene.base + "/trash")
        // The hook only counts: what is read or written after the last step is as if it came a moment before the crash.
        let access: any FileAccess = isNear ? HookedAccess(files) { _ in _ = try? link.life().step() } : files
        link.connect(self)
        let skill = try FileSkill(
            access: access,
            journal: link,
            outlet: usesFrames ? self : nil,
            time: SceneTime(link: link),
            logger: Logger(label: "test"),
            tuning: tuning
        )
        skill.direct.open(at: "127.0.0.1")
        let door = usesFrames ? FileScene.door(to: skill, self) : nil
        state.withLock { ($0.skill, $0.door) = (skill, door) }
    }

    var slept: Duration { state.withLock(\.slept) }

    var isOver: Bool { state.withLock { $0.stepsLeft <= 0 } }

    func step() throws {
        let (isLast, isOver) = state.withLock { state in
            state.stepsLeft -= 1
            if let left = state.stepsToSleep {
                state.stepsToSleep = left > 1 ? left - 1 : nil
                if left <= 1 { state.slept += .seconds(180) }
            }
            return (state.stepsLeft == 0, state.stepsLeft <= 0)
        }
        if isLast { tasks.add { [client] in await client.close() } }
        if isOver { throw RemoteError.notConnected }
    }

    /// What still ran ends; nothing of it is kept that was not kept already.
    func end() async {
        state.withLock { $0.stepsLeft = 0 }
        await client.close()
        await tasks.end()
        let (skill, door) = state.withLock { state in
            defer { (state.skill, state.door) = (nil, nil) }
            return (state.skill, state.door)
        }
        await door?.close()
        await skill?.close()
    }

    func invoke(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        try step()
        guard let skill = state.withLock({ $0.skill }) else { throw RemoteError.notConnected }
        let answer = try await skill.call(method, params, as: caller)
        try step()
        return answer
    }

    func deliver(_ frame: [UInt8]) async throws {
        try step()
        state.withLock { $0.door }?.take(frame, from: caller)
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        try step()
        await client.receive(frame: frame)
    }

    /// As if both processes kept their session: its keys are no part of what is tested here.
    private static let secret = BulkSecret(
        session: [UInt8](repeating: 1, count: 16),
        bytes: [UInt8](repeating: 2, count: 32)
    )

    func bulkSecret(of device: String) async -> BulkSecret? { Self.secret }

    /// A write to a journal: the crash may come before it or right after.
    func write(_ work: (SQLiteUploadJournal, SQLiteTransferJournal) throws -> Void) throws {
        try step()
        try work(uploads, transfers)
        try step()
    }

    func uploadRecords() throws -> [UploadRecord] { try uploads.records() }
    func transferRecords() throws -> [TransferRecord] { try transfers.records() }
}

/// The system's time, moved on by how long the computer slept, with a date that stands.
private struct SceneTime: TimeSource {
    var link: LifeLink?

    // Over: no part asks any more.
    var now: ContinuousClock.Instant { ContinuousClock.now + ((try? link?.life().slept) ?? .zero) }
    var date: Date { Date(timeIntervalSince1970: 1_790_000_000) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await SystemTime().sleep(until: deadline, tolerance: tolerance)
    }
}

/// How the parts of a life reach it: they are built before it is.
final class LifeLink: UploadJournal, TransferJournal {
    private struct Weak { weak var life: Life? }
    private let link = Mutex(Weak())

    func connect(_ life: Life) { link.withLock { $0.life = life } }

    func life() throws -> Life {
        guard let life = link.withLock({ $0.life }) else { throw RemoteError.notConnected }
        return life
    }

    func records() throws -> [UploadRecord] { try life().uploadRecords() }
    func records() throws -> [TransferRecord] { try life().transferRecords() }
    func save(_ record: UploadRecord) throws { try life().write { uploads, _ in try uploads.save(record) } }
    func save(_ record: TransferRecord) throws { try life().write { _, transfers in try transfers.save(record) } }
    func saveAll(_ records: [UploadRecord]) throws { try life().write { uploads, _ in try uploads.saveAll(records) } }
    func saveAll(_ records: [TransferRecord]) throws {
        try life().write { _, transfers in try transfers.saveAll(records) }
    }
    func removeAll(_ ids: [String]) throws {
        try life().write { uploads, transfers in
            try uploads.removeAll(ids)
            try transfers.removeAll(ids)
        }
    }
    // Ids are random: what one journal does not hold it cannot lose.
    func remove(_ id: String) throws {
        try life().write { uploads, transfers in
            try uploads.remove(id)
            try transfers.remove(id)
        }
    }
}
