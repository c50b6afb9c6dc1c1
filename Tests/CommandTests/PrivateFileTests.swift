import ArgumentParser
import Foundation
import QRCodes
import Testing

@testable import TandemCommands

@Suite("Files for their owner only", .timeLimit(.minutes(4)))
struct PrivateFileTests {
    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try await body(folder)
    }

    private func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("a new file holds what was written, and nobody else reads it")
    func new() async throws {
        try await Self.withFolder { folder in
            let file = folder.appending(path: "code.png")
            try PrivateFile.write(Data("secret".utf8), to: file.path)
            #expect(try Data(contentsOf: file) == Data("secret".utf8))
            #expect(try mode(file) == 0o600)
            #expect(try names(in: folder) == ["code.png"])
        }
    }

    @Test("a file that others have open is replaced, and they never see what is written")
    func wideFile() async throws {
        try await Self.withFolder { folder in
            let file = folder.appending(path: "code.png")
            try Data("before".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
            let others = try FileHandle(forReadingFrom: file)
            try PrivateFile.write(Data("secret".utf8), to: file.path)
            #expect(try others.readToEnd() == Data("before".utf8))
            try others.close()
            #expect(try Data(contentsOf: file) == Data("secret".utf8))
            #expect(try mode(file) == 0o600)
            #expect(try names(in: folder) == ["code.png"])
        }
    }

    @Test("a link is replaced and not followed, wherever it leads")
    func link() async throws {
        try await Self.withFolder { folder in
            let (link, dangling) = (folder.appending(path: "link.png"), folder.appending(path: "dangling.png"))
            let target = folder.appending(path: "target")
            try Data("before".utf8).write(to: target)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            try FileManager.default.createSymbolicLink(at: dangling, withDestinationURL: folder.appending(path: "none"))
            for file in [link, dangling] {
                try PrivateFile.write(Data("secret".utf8), to: file.path)
                let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
                #expect(type == .typeRegular)
                #expect(try mode(file) == 0o600)
                #expect(try Data(contentsOf: file) == Data("secret".utf8))
            }
            #expect(try Data(contentsOf: target) == Data("before".utf8))
            #expect(try names(in: folder) == ["dangling.png", "link.png", "target"])
        }
    }

    @Test("what cannot be written is a sentence, and leaves nothing behind")
    func refused() async throws {
        try await Self.withFolder { folder in
            let taken = folder.appending(path: "taken.png").path
            try FileManager.default.createDirectory(atPath: taken + "/inside", withIntermediateDirectories: true)
            #expect(throws: PrivateFileError(path: taken, code: EISDIR)) {
                try PrivateFile.write(Data("secret".utf8), to: taken)
            }
            #expect(try names(in: folder) == ["taken.png"])
            let missing = folder.path + "/missing/code.png"
            let error = #expect(throws: PrivateFileError.self) {
                try PrivateFile.write(Data("secret".utf8), to: missing)
            }
            #expect(
                error?.description
                    == "\(missing) could not be written: No such file or directory. Choose another place for it."
            )
        }
    }

    @Test("the pictures of pair show are such files")
    func pictures() async throws {
        try await Self.withFolder { folder in
            let (png, svg) = (folder.appending(path: "code.png"), folder.appending(path: "code.svg"))
            for file in [png, svg] {
                try Data("before".utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
            }
            let text = #"{"type":"desktop-pairing","code":"4829137306"}"#
            #expect(try await Pair.Show.parse(["--png", png.path]).writePicture(of: text))
            #expect(try await Pair.Show.parse(["--svg", svg.path]).writePicture(of: text))
            #expect(try await Pair.Show.parse(["--text"]).writePicture(of: text) == false)
            #expect(try await Live.reader.text(inFileAt: png) == text)
            #expect(try String(contentsOf: svg, encoding: .utf8).contains("<svg"))
            #expect(try mode(png) == 0o600)
            #expect(try mode(svg) == 0o600)
            #expect(try names(in: folder) == ["code.png", "code.svg"])
        }
    }
}
