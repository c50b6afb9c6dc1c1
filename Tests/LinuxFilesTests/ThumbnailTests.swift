import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Pictures
import Synchronization
import Testing

@testable import Files
@testable import FilesHost

/// Makes a small picture of each that begins like a JPEG: its last bytes between the ends of one.
private final class ScriptedPhotos: PhotoEncoder {
    private let asked = Mutex(0)
    private let before: @Sendable () throws -> Void

    /// - Parameter before: Run before each picture; what it throws is thrown.
    init(_ before: @escaping @Sendable () throws -> Void = {}) { self.before = before }

    var count: Int { asked.withLock(\.self) }

    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        throw PictureError.notAPicture
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        asked.withLock { $0 += 1 }
        try before()
        guard picture.starts(with: [0xFF, 0xD8]) else { throw PictureError.notAPicture }
        let bytes = [0xFF, 0xD8] + picture.suffix(4) + [0xFF, 0xD9]
        let size = PictureDimensions(width: longEdge, height: 1)
        return PictureThumbnail(
            picture: EncodedPicture(bytes: bytes, format: .jpeg, dimensions: size),
            blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        )
    }
}

@Suite("Small pictures of a folder", .timeLimit(.minutes(2)))
struct ThumbnailTests {
    private static func photo(_ mark: String) -> [UInt8] { [0xFF, 0xD8, 0, 0] + Array(mark.utf8) }

    private static func thumbnail(_ mark: String) -> ThumbnailsMade.Outcome {
        .picture(Data([0xFF, 0xD8] + Array(mark.utf8) + [0xFF, 0xD9]))
    }

    private func skill(_ scene: FileScene, _ photos: ScriptedPhotos, time: any TimeSource = .system) throws -> FileSkill
    {
        let folder = scene.base
        let maker = ThumbnailMaker(photos, ThumbnailShelf { folder }, time: time)
        return try FileSkill(access: scene.access, journal: MemoryUploadJournal(), thumbnails: maker)
    }

    private func ask(_ skill: FileSkill, _ scene: FileScene, _ paths: [String]) async throws -> [ThumbnailsMade.Outcome]
    {
        let wire = try await skill.call("file.getThumbnails", FileThumbnails(paths: paths).wire, as: scene.caller)
        return try ThumbnailsMade(wire: wire).files
    }

    @Test("each comes in its place, one that is none spoils no other, and what was made is made once")
    func several() async throws {
        let scene = try FileScene()
        let photos = ScriptedPhotos()
        let skill = try skill(scene, photos)
        try scene.write("a.jpg", Self.photo("aaaa"))
        try scene.write("b.jpg", "no picture")
        try scene.write("c.jpg", Self.photo("cccc"))
        try scene.write("empty.jpg", "")
        try scene.link("out.jpg", to: scene.outside + "/secret.txt")
        try scene.link("c again.jpg", to: "c.jpg")
        let paths = ["a.jpg", "b.jpg", "c.jpg", "empty.jpg", "gone.jpg", "out.jpg", "c again.jpg", "."]
        let expected: [ThumbnailsMade.Outcome] = [
            Self.thumbnail("aaaa"), .refused(code: FailureCode.unsupported), Self.thumbnail("cccc"),
            .refused(code: FailureCode.unsupported), .refused(code: FailureCode.notFound),
            .refused(code: FailureCode.notAllowed), Self.thumbnail("cccc"), .refused(code: FailureCode.badParameters),
        ]
        #expect(try await ask(skill, scene, paths) == expected)
        #expect(photos.count == 3)
        #expect(try await ask(skill, scene, paths) == expected)
        #expect(photos.count == 3)
        // What another process finds on the disk.
        let later = try self.skill(scene, photos)
        #expect(try await ask(later, scene, ["a.jpg", "b.jpg"]) == Array(expected.prefix(2)))
        #expect(photos.count == 3)
        try scene.write("a.jpg", Self.photo("xxaaaab"))
        #expect(try await ask(later, scene, ["a.jpg"]) == [Self.thumbnail("aaab")])
        // The picture is on the disk here, and the file is closed to the phone by now.
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: scene.home + "/c.jpg")
        if getuid() != 0 {
            #expect(try await ask(later, scene, ["c.jpg"]) == [.refused(code: FailureCode.notAllowed)])
        }
    }

    @Test("a picture that takes too long costs the others a second question, and nothing else")
    func patience() async throws {
        let scene = try FileScene()
        let time = ManualClock()
        let photos = ScriptedPhotos { time.advance(by: .seconds(6)) }
        let skill = try skill(scene, photos, time: time)
        for name in ["a", "b"] { try scene.write(name, Self.photo("\(name)\(name)\(name)\(name)")) }
        #expect(
            try await ask(skill, scene, ["a", "b"]) == [Self.thumbnail("aaaa"), .refused(code: FailureCode.busy)]
        )
        #expect(
            try await ask(skill, scene, ["a", "b"]) == [Self.thumbnail("aaaa"), Self.thumbnail("bbbb")]
        )
        #expect(photos.count == 2)
    }

    @Test(
        "without the program that reads pictures the whole question is refused, and nothing is remembered as no picture"
    )
    func noProgram() async throws {
        let scene = try FileScene()
        let isMissing = Mutex(true)
        let photos = ScriptedPhotos {
            if isMissing.withLock(\.self) { throw PictureError.programMissing(path: "/nowhere") }
        }
        let skill = try skill(scene, photos)
        try scene.write("a.jpg", Self.photo("aaaa"))
        await #expect(throws: RemoteFailure.self) { try await ask(skill, scene, ["a.jpg"]) }
        isMissing.withLock { $0 = false }
        #expect(try await ask(skill, scene, ["a.jpg"]) == [Self.thumbnail("aaaa")])
        #expect(await scene.failure("file.getThumbnails", ["paths": ["a"]])?.code == FailureCode.unsupported)
    }

    @Test("the shelf stays within its bounds, keeps what was asked for last, and believes no cut picture")
    func shelf() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-shelf-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func shelf() -> ThumbnailShelf { ThumbnailShelf(byteLimit: 100, countLimit: 8) { folder } }
        let picture: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 4, 5, 6, 7, 8, 0xFF, 0xD9]
        let first = shelf()
        for index in 0..<8 { first.keep(.picture(picture), as: "\(index)") }
        #expect(first["0"] == .picture(picture))
        first.keep(.none, as: "8")
        // 96 and 4 bytes fit; the ninth entry does not.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/thumbnails").sorted()
        #expect(left == ["0", "3", "4", "5", "6", "7", "8"])
        #expect(first["1"] == nil)
        let second = shelf()
        #expect(second["8"] == Optional(ThumbnailShelf.Entry.none))
        try Data(picture.prefix(5)).write(to: folder.appending(path: "thumbnails/7"))
        try Data().write(to: folder.appending(path: "thumbnails/6"))
        #expect(second["7"] == nil)
        #expect(second["6"] == nil)
        #expect(second["5"] == .picture(picture))
        // A folder that cannot be made costs only what it would keep.
        let nowhere = ThumbnailShelf { throw CancellationError() }
        nowhere.keep(.picture(picture), as: "0")
        #expect(nowhere["0"] == nil)
    }
}
