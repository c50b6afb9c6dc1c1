import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization
import Transport

@testable import CommandServer
@testable import Commands
@testable import Files
@testable import FilesHost
@testable import LinuxFiles
@testable import Transfers

/// A computer's skill and phones' transfer clients, with frames handed over in memory and direct connections over real sockets.
final class DirectScene: FrameOutlet {
    /// A phone: its transfers, and what its session gives.
    struct Phone: Sendable {
        let caller: Caller
        let client: FileTransferClient
        let folder: String
        let secret: BulkSecret
    }

    private struct State {
        var phones: [String: Phone] = [:]
        var offers = 0
        var denied: Set<String> = []
    }

    private let crash: CrashScene
    private let made = Mutex<(skill: FileSkill, door: FrameDoor)?>(nil)
    private let state = Mutex(State())
    /// What tickets say for the port; nil for the listener's.
    private let port: UInt16?

    /// - Parameters:
    ///   - hook: Called with the offset before a part of a file is read or written.
    init(
        settings: [String: JSONValue] = [:],
        port: UInt16? = nil,
        hook: (@Sendable (Int64) -> Void)? = nil
    ) throws {
        crash = try CrashScene()
        self.port = port
        let folder = try LinuxFileAccess(home: crash.desktopFolder, trash: crash.base + "/trash")
        let access: any FileAccess = hook.map { HookedAccess(folder, hook: $0) } ?? folder
        let skill = try FileSkill(
            access: access,
            journal: MemoryUploadJournal(),
            outlet: self,
            settings: settings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        skill.direct.open(at: "127.0.0.1")
        made.withLock { $0 = (skill, FileScene.door(to: skill, self)) }
    }

    var home: String { crash.desktopFolder }
    var skill: FileSkill { get throws { try parts.skill } }

    private var parts: (skill: FileSkill, door: FrameDoor) {
        get throws {
            guard let parts = made.withLock({ $0 }) else { throw RemoteError.notConnected }
            return parts
        }
    }

    /// How many tickets were given.
    var offers: Int { state.withLock(\.offers) }

    func phone(_ name: String) throws -> Phone {
        let caller = FileScene.caller("did:key:\(name)")
        let secret = BulkSecret(
            session: [UInt8](repeating: UInt8(name.utf8.count), count: 16),
            bytes: Array("\(name)                                ".utf8.prefix(32))
        )
        let folder = crash.phoneFolder + "/" + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (skill, door) = try parts
        let client = FileTransferClient(
            desktop: "desk",
            journal: MemoryTransferJournal(),
            invoke: { [weak self] method, params, _ in
                guard let self, !isDenied(caller.id) else {
                    throw RemoteFailure(code: FailureCode.notAllowed, message: "denied")
                }
                return try await skill.call(method, params, as: caller)
            },
            sendFrame: { [weak self] frame in
                var sender = caller
                if self?.isDenied(caller.id) ?? true { sender.rights = [] }
                door.take(frame, from: sender)
            },
            locate: { BulkDialer.Place(addresses: ["127.0.0.1"], session: secret.session, secret: secret.bytes) }
        )
        let phone = Phone(caller: caller, client: client, folder: folder, secret: secret)
        state.withLock { $0.phones[caller.id] = phone }
        return phone
    }

    /// Takes all rights back. What the phone has open is the test's to end.
    func deny(_ phone: Phone) { state.withLock { _ = $0.denied.insert(phone.caller.id) } }

    private func isDenied(_ phone: String) -> Bool { state.withLock { $0.denied.contains(phone) } }

    /// Opens a phone's connection, which transfers do not wait for. The transfer that it is opened for stays under way.
    func connect(_ phone: Phone) async throws {
        let transfer = try await phone.client.requestDownload(home + "/large", version: nil)
        phone.client.wishForConnection(transfer)
        while !Task.isCancelled, phone.client.dialer?.isDialing == true { await Task.yield() }
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        guard let phone = state.withLock({ $0.phones[device] }) else { throw RemoteError.notConnected }
        guard var frame = TransferFrame(frame), case .offer(let offer) = frame.content else {
            return await phone.client.receive(frame: frame)
        }
        state.withLock { $0.offers += 1 }
        if let port { frame.content = .offer(BulkOffer(ticket: offer.ticket, port: port, session: offer.session)) }
        await phone.client.receive(frame: frame.bytes)
    }

    func bulkSecret(of device: String) async -> BulkSecret? { state.withLock { $0.phones[device]?.secret } }

    func end() async throws {
        for phone in state.withLock({ Array($0.phones.values) }) { await phone.client.close() }
        let (skill, door) = try parts
        await door.close()
        await skill.close()
        made.withLock { $0 = nil }
    }
}

/// A phone's journal in memory.
private final class MemoryTransferJournal: TransferJournal {
    private let kept = Mutex<[String: TransferRecord]>([:])

    func records() throws -> [TransferRecord] { kept.withLock { Array($0.values) } }
    func save(_ record: TransferRecord) throws { kept.withLock { $0[record.id] = record } }
    func remove(_ id: String) throws { kept.withLock { _ = $0.removeValue(forKey: id) } }
    func saveAll(_ records: [TransferRecord]) throws { for record in records { try save(record) } }
    func removeAll(_ ids: [String]) throws { for id in ids { try remove(id) } }
}
