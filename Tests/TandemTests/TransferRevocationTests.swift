import Clipboard
import ClipboardHost
import Commands
import Files
import FilesHost
import Foundation
import Kernel
import LinuxFiles
import Pairing
import Screen
import ScreenHost
import TandemPhone
import Testing

@testable import CommandServer
@testable import TandemDesktop

/// What a phone fetches, sends and watches at a real computer, and the owner who ends it.
@Suite("A transfer or a watch that loses its right ends", .timeLimit(.minutes(4)))
struct TransferRevocationTests {
    /// Bytes of a part; each file has three.
    private static let part: Int64 = 4096

    /// What a phone keeps going: one file each way, of which the first part is there, a clipboard and a screen.
    private struct Held: Sendable {
        let phone: Phone
        let computer: PairedDesktop
        let share: URL
        let download: JSONValue
        let upload: JSONValue

        func fetch(_ index: Int64) async throws {
            try await call("file.downloadChunk", ["transferId": download, "chunkIndex": .integer(index)])
        }

        func send(_ index: Int64) async throws {
            let data = Data(repeating: 7, count: Int(TransferRevocationTests.part)).base64EncodedString()
            try await call(
                "file.uploadChunk",
                ["transferId": upload, "chunkIndex": .integer(index), "chunkData": .string(data)]
            )
        }

        func watchClipboard() async throws { try await call("clipboard.watch") }
        func takePicture() async throws { try await call("display.screenshot") }

        private func call(_ method: String, _ params: JSONValue = [:]) async throws {
            _ = try await phone.call(method, params, on: computer)
        }

        /// The code with which the computer refuses something; nil when it does it.
        func refusal(_ ask: (Held) async throws -> Void) async -> Int? {
            do {
                try await ask(self)
                return nil
            } catch {
                return (error as? RemoteFailure)?.code
            }
        }

        /// What lies in the shared folder: also the beginning of a file that is not whole yet.
        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: share.path) }

        /// What lies there once the parts of ended uploads are removed, which nobody waits for.
        func filesThatStay() async throws -> [String] {
            while !Task.isCancelled, try files().count > 1 { await Task.yield() }
            return try files()
        }
    }

    /// A household whose computer shares a folder with one file, and a clipboard and a screen.
    private func run(_ body: @escaping @Sendable (Household, Held) async throws -> Void) async throws {
        let share = FileManager.default.temporaryDirectory.appending(path: "ts-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: share) }
        try Data(repeating: 9, count: Int(3 * Self.part)).write(to: share.appending(path: "notes.bin"))
        let files = CommandFeatureMaker.files(
            try LinuxFileAccess(folders: [share.path], home: share.path, trash: share.path)
        )
        try await Household.run(features: [files] + MemoryDesktopSession.features) { home in
            try await body(home, try await begin(home, in: share))
        }
    }

    private func begin(_ home: Household, in share: URL) async throws -> Held {
        let computer = try await pair(home)
        try await allow(home)
        let download = try await home.phone.call(
            "file.requestDownload",
            ["path": "notes.bin", "chunkSize": .integer(Self.part)],
            on: computer
        )
        let upload = try await home.phone.call(
            "file.requestUpload",
            ["fileName": "report.bin", "fileSize": .integer(3 * Self.part), "chunkSize": .integer(Self.part)],
            on: computer
        )
        let held = Held(
            phone: home.phone,
            computer: computer,
            share: share,
            download: try #require(download["transferId"]),
            upload: try #require(upload["transferId"])
        )
        try await held.fetch(0)
        try await held.send(0)
        try await held.watchClipboard()
        try await held.takePicture()
        #expect(await home.desktop.phones.activities().map(\.kind) == [.clipboard, .download, .screen, .upload])
        #expect(try held.files().count == 2)
        return held
    }

    private func pair(_ home: Household) async throws -> PairedDesktop {
        let computer = try await home.pair()
        // The record counts once the phone has opened a session.
        #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
        return computer
    }

    private func allow(_ home: Household) async throws {
        try await home.desktop.ask("devices.allow", ["skills": ["file", "clipboard", "display"]])
    }

    private static func ended(_ answer: JSONValue) -> [String] {
        (answer["ended"]?.arrayValue ?? []).compactMap { $0["kind"]?.stringValue }
    }

    @Test("denying what a transfer or a watch needs ends it, refuses the next part and leaves the others")
    func denied() async throws {
        try await run { home, held in
            let reading = try await home.desktop.ask("devices.deny", ["skills": ["file.read"]])
            #expect(Self.ended(reading) == ["download"])
            #expect(await held.refusal { try await $0.fetch(1) } == FailureCode.notAllowed)
            try await held.send(1)
            let others = try await home.desktop.ask("devices.deny", ["skills": ["file.write", "clipboard", "display"]])
            #expect(Self.ended(others) == ["clipboard", "screen", "upload"])
            #expect(await home.desktop.phones.activities().isEmpty)
            #expect(await held.refusal { try await $0.send(2) } == FailureCode.notAllowed)
            #expect(await held.refusal { try await $0.watchClipboard() } == FailureCode.notAllowed)
            #expect(await held.refusal { try await $0.takePicture() } == FailureCode.notAllowed)
            #expect(try await held.filesThatStay() == ["notes.bin"])
            // Given again, the rights bring nothing back.
            try await allow(home)
            #expect(await held.refusal { try await $0.fetch(1) } == FailureCode.unknownTransfer)
            #expect(await held.refusal { try await $0.send(2) } == FailureCode.unknownTransfer)
            #expect(await home.desktop.phones.activities().isEmpty)
        }
    }

    @Test("forgetting a phone ends its transfers and what it watches, also for the same phone paired anew")
    func forgotten() async throws {
        try await run { home, held in
            let answer = try await home.desktop.ask("devices.forget", ["id": .string(home.phone.identity.did)])
            #expect(Self.ended(answer) == ["clipboard", "download", "screen", "upload"])
            #expect(await home.desktop.phones.activities().isEmpty)
            #expect(try await held.filesThatStay() == ["notes.bin"])
            try await home.computersLeave()
            let again = Held(
                phone: home.phone,
                computer: try await pair(home),
                share: held.share,
                download: held.download,
                upload: held.upload
            )
            #expect(await again.refusal { try await $0.fetch(1) } == FailureCode.notAllowed)
            #expect(await again.refusal { try await $0.send(1) } == FailureCode.notAllowed)
            #expect(await again.refusal { try await $0.takePicture() } == FailureCode.notAllowed)
            try await allow(home)
            #expect(await again.refusal { try await $0.fetch(1) } == FailureCode.unknownTransfer)
            #expect(await again.refusal { try await $0.send(1) } == FailureCode.unknownTransfer)
            #expect(await home.desktop.phones.activities().isEmpty)
        }
    }

    @Test("the owner ends transfers and a watched clipboard by their ids; of the screen only the right can be taken")
    func endedByOwner() async throws {
        try await run { home, held in
            let ids = await home.desktop.phones.activities().map { JSONValue.string($0.id) }
            let answer = try await home.desktop.ask("activity.end", ["activities": .array(ids)])
            #expect(Self.ended(answer) == ["clipboard", "download", "upload"])
            // A picture is taken and gone: nothing goes on that could be ended.
            #expect(answer["notEnded"]?.arrayValue == [.string("screen:\(home.phone.identity.did)")])
            #expect(await home.desktop.phones.activities().map(\.kind) == [.screen])
            #expect(await held.refusal { try await $0.fetch(1) } == FailureCode.cancelled)
            #expect(await held.refusal { try await $0.send(1) } == FailureCode.cancelled)
            #expect(try await held.filesThatStay() == ["notes.bin"])
            let denied = try await home.desktop.ask("devices.deny", ["skills": ["display"]])
            #expect(Self.ended(denied) == ["screen"])
            #expect(await home.desktop.phones.activities().isEmpty)
            #expect(await held.refusal { try await $0.takePicture() } == FailureCode.notAllowed)
        }
    }
}
