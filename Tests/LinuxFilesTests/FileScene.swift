import Capabilities
import Crypto
import FeatureTesting
import Files
import Foundation
import Glibc
import Kernel
import Logging
import Rights
import Synchronization

@testable import CommandServer
@testable import Commands
@testable import FilesHost
@testable import LinuxFiles

/// A folder of its own with a home, a trash and things outside of the home, and the desktop's skill over it.
final class FileScene: Sendable {
    let base: URL
    let home: String
    let outside: String
    let trash: String
    let access: LinuxFileAccess
    let skill: FileSkill
    /// The door for the skill's frames; nil where there is no outlet.
    let door: FrameDoor?
    let caller = FileScene.caller("did:key:z6MkA")

    init(outlet: (any DeviceOutlet)? = nil, folders: [String] = []) throws {
        base = URL(fileURLWithPath: "/tmp/tandem-files-\(UUID().uuidString)")
        home = base.path + "/home"
        outside = base.path + "/outside"
        trash = base.path + "/trash"
        for folder in [home, outside] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try Data("secret".utf8).write(to: URL(fileURLWithPath: outside + "/secret.txt"))
        access = try LinuxFileAccess(folders: folders, home: home, trash: trash, sharesHidden: true)
        let skill = try FileSkill(access: access, journal: MemoryUploadJournal(), outlet: outlet)
        self.skill = skill
        door = outlet.map { FileScene.door(to: skill, $0) }
    }

    /// The door for frames as a computer has it, without a log.
    static func door(to skill: FileSkill, _ outlet: any DeviceOutlet) -> FrameDoor {
        FrameDoor(
            skill.frames,
            gate: CommandGate(rights: RightsCatalogue(FileSkill.manifest.rights)),
            outlet: outlet,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    deinit {
        // What a test leaves behind is only a temporary folder.
        try? FileManager.default.removeItem(at: base)
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: home + "/" + name))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: home + "/" + name))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: home + "/" + name)))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: home + "/" + name, withDestinationPath: target)
    }

    func isThere(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0
    }

    static func checksum(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(data: bytes)) }

    func call(_ method: String, _ params: JSONValue, from caller: Caller? = nil) async throws -> JSONValue {
        try await skill.call(method, params, as: caller ?? self.caller)
    }

    /// A phone that may use files.
    static func caller(_ id: String) -> Caller {
        Caller(id: id, name: "Ada's phone", proof: .session, rights: [.fileRead, .fileWrite])
    }

    func failure(_ method: String, _ params: JSONValue, from caller: Caller? = nil) async -> RemoteFailure? {
        do {
            _ = try await call(method, params, from: caller)
            return nil
        } catch {
            return error as? RemoteFailure
        }
    }
}

/// An outlet of a feature that sends binary messages only.
protocol FrameOutlet: DeviceOutlet {}

extension FrameOutlet {
    func devices(needing right: Right?) -> [OutletDevice] { [] }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        throw RemoteError.notConnected
    }

    func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        throw RemoteError.notConnected
    }
}

/// A journal that forgets with its scene.
final class MemoryUploadJournal: UploadJournal {
    private let kept = Mutex<[String: UploadRecord]>([:])

    func records() throws -> [UploadRecord] { kept.withLock { Array($0.values) } }
    func save(_ record: UploadRecord) throws { kept.withLock { $0[record.id] = record } }
    func remove(_ id: String) throws { kept.withLock { _ = $0.removeValue(forKey: id) } }
    func saveAll(_ records: [UploadRecord]) throws { for record in records { try save(record) } }
    func removeAll(_ ids: [String]) throws { for id in ids { try remove(id) } }
}
