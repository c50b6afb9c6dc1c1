import CommandServer
import Control
import Files
import FilesHost
import Foundation
import Kernel
import LinuxFiles
import Pairing
import TandemPhone
import Testing
import Transport

@testable import TandemDesktop

/// Files between a phone's and a computer's real compositions on loopback.
@Suite("Files of a phone and a computer that reach each other", .timeLimit(.minutes(4)))
struct DirectFilesTests {
    private static let size = 24 << 20

    private struct Held: Sendable {
        let home: Household
        let computer: PairedDesktop
        let share: URL
        let mine: URL

        var client: FileTransferClient {
            get async throws { try await home.phone.part(FileTransferClient.self, of: computer) }
        }

        /// Returns once the computer has let the phone's connection in, which no transfer waits for.
        func connected() async throws {
            while !Task.isCancelled, try await check.count == 0 { await Task.yield() }
        }

        /// What the computer's doctor says of direct connections.
        var check: DoctorCheckValues {
            get async throws {
                let report = try await home.desktop.ask("doctor")
                let check = report["checks"]?.arrayValue?.first { $0["name"] == "Direct connections" }
                return DoctorCheckValues(reason: check?["reason"]?.stringValue, values: check?["values"])
            }
        }
    }

    private struct DoctorCheckValues: Sendable {
        let reason: String?
        let values: JSONValue?

        var bytes: Int64 { values?["bytes"]?.integerValue ?? 0 }
        var count: Int64 { values?["count"]?.integerValue ?? 0 }
    }

    private func run(_ body: @escaping @Sendable (Held) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "td-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        let (share, mine) = (root.appending(path: "share"), root.appending(path: "mine"))
        for folder in [share, mine] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Self.content.write(to: share.appending(path: "film.bin"))
        let files = CommandFeatureMaker.files(
            try LinuxFileAccess(folders: [share.path], home: share.path, trash: root.appending(path: "trash").path)
        )
        try await Household.run(features: [files]) { home in
            let computer = try await home.pair()
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
            try await home.desktop.ask("devices.allow", ["skills": ["file"]])
            await home.path(.lan, to: computer)
            try await body(Held(home: home, computer: computer, share: share, mine: mine))
        }
    }

    private static let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 5 ^ $0 >> 13) })

    @Test("a film comes down and goes up again directly, and the doctors of both say so")
    func bothWays() async throws {
        try await run { held in
            let client = try await held.client
            #expect(try await held.check.reason == "directWaits")
            _ = try await client.download("film.bin", to: held.mine.path)
            #expect(try Data(contentsOf: held.mine.appending(path: "film.bin")) == Self.content)
            try await held.connected()
            _ = try await client.upload(held.mine.appending(path: "film.bin").path, to: "~", replacing: true)
            #expect(try Data(contentsOf: held.share.appending(path: "film.bin")) == Self.content)
            let check = try await held.check
            #expect(check.reason == "directOpen")
            // The first parts of the film went before the connection was there; all that went up is among these.
            #expect(check.bytes >= Int64(Self.size))
            let report = try await held.home.phone.control.handle(.init(id: 1, method: "doctor"))
            let own = report["checks"]?.arrayValue?.first { $0["name"] == "Direct connections" }
            #expect(own?["values"]?["direct"]?.integerValue == check.bytes)
        }
    }

    @Test("a denied right, and a phone that is forgotten, leave no connection")
    func revoked() async throws {
        try await run { held in
            let client = try await held.client
            _ = try await client.download("film.bin", to: held.mine.path)
            try await held.connected()
            try await held.home.desktop.ask("devices.deny", ["skills": ["file.read"]])
            #expect(try await held.check.count == 0)
            await #expect(throws: (any Error).self) {
                try await client.download("film.bin", to: held.mine.path, replacing: true)
            }
            _ = try await client.upload(held.mine.appending(path: "film.bin").path, to: "~", replacing: true)
            try await held.home.desktop.ask("devices.forget", ["id": .string(held.home.phone.identity.did)])
            #expect(try await held.check.count == 0)
        }
    }
}
