import CommandClient
import Control
import Foundation
import HomeTesting
import Journal
import Kernel
import MigrationClient
import MigrationContainer
import MigrationTransfer
import Pictures
import Sections
import Signaling
import TandemPhone
import Testing

/// A phone of a home with a journal, which can move, for one run of its program.
struct MovingPhone {
    let phone: HomePhone

    /// Puts into place what waits for it, as the program does at its start, and runs the phone for the length of `body`.
    static func run<Value: Sendable>(
        _ name: String,
        in folder: StateFolder,
        of home: Home,
        signaling: (access: SignalAccess, hub: URL)? = nil,
        startingAgain startAgain: StartAgain? = nil,
        _ body: @Sendable (MovingPhone) async throws -> Value
    ) async throws -> Value {
        let moving = MigratingPhone()
        var timing = MigrationTiming()
        timing.backoff = [.milliseconds(20)]
        var plan = PhonePlan(
            name,
            features: .standard + [
                JournalFeature.maker(pictures: NoPictures()),
                // The least cost that a reader takes: what a password's key costs is the container's own test.
                MigrationFeature.maker(
                    of: moving,
                    timing: timing,
                    cost: try ScryptCost(logN: 14, parallelism: 1),
                    startingAgain: startAgain
                ),
            ]
        )
        plan.signaling = signaling
        let hasBegun = LatestValue(false)
        while true {
            do {
                try MigrationStart.settle(folder)
                return try await home.withPhone(plan, in: folder) { phone in
                    hasBegun.set(true)
                    let role = try await phone.role
                    moving.open(role)
                    return try await body(MovingPhone(phone: phone))
                }
            } catch StateFolderError.inUse where !hasBegun.value {
                // The state folder is free once nothing of an earlier run is left in this process; and a program that another test starts
                // holds a copy of the lock for a moment, from its fork on.
                await Task.yield()
            }
        }
    }

    var control: ControlTable { get async throws { try await phone.role.control } }

    func stories() async throws -> [String?] {
        let list = try await control.call(JournalControl.list, .init()).stories
        return list.map(\.title)
    }

    func write(_ title: String) async throws -> JournalControl.Story {
        try await control.call(JournalControl.add, .init(title: title, content: "words"))
    }

    /// The first state of the wizard for which `isWanted` answers true.
    ///
    /// - Throws: What the move failed with, and ``NotReached`` where it ended otherwise.
    func reaches(_ isWanted: @escaping @Sendable (MigrationFlowState) -> Bool) async throws -> MigrationFlowState {
        let found = LatestValue<MigrationFlowState?>(nil)
        do {
            let last = try await control.call(MigrationControl.watch, NoControlParameters()) { state in
                guard isWanted(state) else { return }
                found.set(state)
                throw Found()
            }
            guard isWanted(last) else { throw NotReached(step: last.step.rawValue) }
            return last
        } catch is Found {
            return try #require(found.value)
        }
    }

    private struct Found: Error {}
    struct NotReached: Error { let step: String }

    /// Returns once this phone's standing is the one that is wanted.
    func stands(_ isWanted: (PhoneStanding) -> Bool) async throws {
        for await standing in try await phone.role.standing.values() where isWanted(standing) { return }
    }
}

/// No picture can be read, so no thumbnail is made.
struct NoPictures: PhotoEncoder, PictureEncoder {
    func dimensions(of picture: [UInt8]) async throws -> PictureDimensions { throw PictureError.notAPicture }

    func encode(_ picture: [UInt8], as format: PictureFormat, quality: Int, maxWidth: Int?) async throws
        -> EncodedPicture
    {
        throw PictureError.notAPicture
    }

    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        throw PictureError.notAPicture
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        throw PictureError.notAPicture
    }
}

/// A folder with the state of two phones.
enum MoveFolders {
    static func with(_ body: (URL, StateFolder, StateFolder) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "tandem-moves-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left is in a temporary folder
        try await body(
            folder,
            StateFolder(folder.appending(path: "old")),
            StateFolder(folder.appending(path: "new"))
        )
    }
}
