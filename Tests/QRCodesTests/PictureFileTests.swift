import Foundation
import QRCodes
import Testing

@Suite("Picture files", .timeLimit(.minutes(4)))
struct PictureFileTests {
    /// Says what it was given.
    private struct Echo: QRCodeReader {
        var limits = PictureLimits(fileBytes: 4)
        func text(in picture: [UInt8]) async throws(QRError) -> String { String(decoding: picture, as: UTF8.self) }
    }

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try await body(folder)
    }

    @Test("a file up to the limit is read whole, also through a link")
    func wholeFile() async throws {
        try await Self.withFolder { folder in
            let file = folder.appending(path: "code.png")
            let link = folder.appending(path: "link.png")
            try Data("abcd".utf8).write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(try await Echo().text(inFileAt: file) == "abcd")
            #expect(try await Echo().text(inFileAt: link) == "abcd")
        }
    }

    @Test("a larger file, an empty one, a folder, a device and nothing at all are refused")
    func refused() async throws {
        try await Self.withFolder { folder in
            let large = folder.appending(path: "large.png")
            let empty = folder.appending(path: "empty.png")
            try Data("abcde".utf8).write(to: large)
            try Data().write(to: empty)
            await #expect(throws: QRError.fileTooLarge(limit: 4)) { try await Echo().text(inFileAt: large) }
            await #expect(throws: QRError.notAPicture) { try await Echo().text(inFileAt: empty) }
            await #expect(throws: QRError.unreadableFile(path: folder.path, reason: "it is not a file")) {
                try await Echo().text(inFileAt: folder)
            }
            await #expect(throws: QRError.unreadableFile(path: "/dev/zero", reason: "it is not a file")) {
                try await Echo().text(inFileAt: URL(fileURLWithPath: "/dev/zero"))
            }
            let missing = folder.appending(path: "missing.png")
            let error = await #expect(throws: QRError.self) { try await Echo().text(inFileAt: missing) }
            guard case .unreadableFile(let path, _) = error else {
                Issue.record("a missing file gave \(String(describing: error))")
                return
            }
            #expect(path == missing.path)
        }
    }
}
