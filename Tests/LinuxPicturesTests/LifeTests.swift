import Capabilities
import Foundation
import Glibc
import KernelTesting
import LinuxDesktopTesting
import LinuxPictures
import Pictures
import ProgramTesting
import Testing

@Suite("The life of the program that reads pictures", .timeLimit(.minutes(4)))
struct LifeTests {
    private static func small() async throws -> [UInt8] {
        try await ImageMagick.make(["-size", "30x20", "xc:#112233"])
    }

    private static func noise() async throws -> [UInt8] {
        try await ImageMagick.make(
            ["-size", "4000x3000", "xc:gray", "+noise", "Random", "-quality", "90"],
            as: "jpeg"
        )
    }

    /// A program that is a script, in a folder of its own.
    private static func withScript(_ text: String, _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
        let file = folder.appending(path: "pictures")
        try await TestProgram.write(text, to: file)
        try await body(file.path)
    }

    @Test("it is kept in: no system call beyond its work in any thread, no new rights, no file")
    func keptIn() async throws {
        let pictures = LinuxPictures()
        _ = try await pictures.thumbnail(of: Self.small(), longEdge: 8, pixelLimit: 1000)
        let process = try #require(pictures.idleProcess)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        #expect(!tasks.isEmpty)
        for task in tasks {
            let status = try String(contentsOfFile: "/proc/\(process)/task/\(task)/status", encoding: .utf8)
            let lines = status.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
            #expect(lines.contains(["Seccomp:", "2"]))
            #expect(lines.contains(["NoNewPrivs:", "1"]))
        }
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let lines = limits.split(separator: "\n").map { $0.split(separator: "  ").map { $0.drop { $0 == " " } } }
        #expect(lines.contains { $0.starts(with: ["Max open files", "0", "0"]) })
        #expect(lines.contains { $0.starts(with: ["Max file size", "0", "0"]) })
        #expect(!lines.contains { $0.starts(with: ["Max address space", "unlimited"]) })
        let check = await pictures.check()
        #expect(check.works)
        #expect(check.reason == "picturesRead")
    }

    @Test("it stays for the next picture, and ends once nothing was asked for thirty seconds")
    func idle() async throws {
        let clock = ManualClock()
        let pictures = LinuxPictures(time: clock)
        let picture = try await Self.small()
        #expect(pictures.idleProcess == nil)
        _ = try await pictures.dimensions(of: picture)
        let first = try #require(pictures.idleProcess)
        clock.advance(by: .seconds(29))
        _ = try await pictures.dimensions(of: picture)
        #expect(pictures.idleProcess == first)
        await clock.sleeper(for: .seconds(30))
        clock.advance(by: .seconds(29))
        #expect(pictures.idleProcess == first)
        clock.advance(by: .seconds(1))
        while !Task.isCancelled, pictures.idleProcess != nil { await Task.yield() }
        _ = try await pictures.dimensions(of: picture)
        #expect(pictures.idleProcess != nil)
    }

    @Test("two pictures at once are both read, one after the other by one program")
    func two() async throws {
        let pictures = LinuxPictures()
        let picture = try await Self.small()
        async let one = pictures.dimensions(of: picture)
        async let other = pictures.encode(picture, as: .png, quality: 80, maxWidth: 15)
        #expect(try await one == PictureDimensions(width: 30, height: 20))
        #expect(try await other.dimensions == PictureDimensions(width: 15, height: 10))
    }

    @Test("killed in the middle of a picture, it costs that picture and not the next")
    func killed() async throws {
        let pictures = LinuxPictures()
        let (small, noise) = (try await Self.small(), try await Self.noise())
        _ = try await pictures.dimensions(of: small)
        let process = try #require(pictures.idleProcess)
        let photo = Task { try await pictures.photo(noise, within: 10_000, pixelLimit: 50_000_000) }
        while !Task.isCancelled, pictures.idleProcess != nil { await Task.yield() }
        kill(process, SIGKILL)
        await #expect(throws: PictureError.givenUp(reason: "ended with signal 9")) { try await photo.value }
        #expect(try await pictures.dimensions(of: small) == PictureDimensions(width: 30, height: 20))
        #expect(pictures.idleProcess != process)
    }

    @Test("killed while it waits, it costs nothing")
    func killedIdle() async throws {
        let pictures = LinuxPictures()
        let picture = try await Self.small()
        _ = try await pictures.dimensions(of: picture)
        let process = try #require(pictures.idleProcess)
        kill(process, SIGKILL)
        // Until it is a zombie without other threads, whose pipes are closed.
        while !Task.isCancelled, Self.state(of: process) != "Z" || Self.threadCount(of: process) > 1 {
            await Task.yield()
        }
        #expect(try await pictures.dimensions(of: picture) == PictureDimensions(width: 30, height: 20))
        #expect(pictures.idleProcess != process)
    }

    /// The first thread of a process may be a zombie while others still hold its pipes.
    private static func threadCount(of process: Int32) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count) ?? 0
    }

    private static func state(of process: Int32) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    }

    @Test("one that does not answer is ended after thirty seconds, and the picture is given up")
    func silent() async throws {
        try await Self.withScript("exec sleep 600") { program in
            let clock = ManualClock()
            var limits = LinuxPictures.Limits()
            limits.waiting = 1
            let pictures = LinuxPictures(program: program, limits: limits, time: clock)
            let asked = Task { try await pictures.dimensions(of: [1]) }
            await clock.sleeper(for: .seconds(30))
            await #expect(throws: PictureError.busy) { try await pictures.dimensions(of: [1]) }
            clock.advance(by: .seconds(30))
            await #expect(throws: PictureError.givenUp(reason: "needed more than 30 seconds for it")) {
                try await asked.value
            }
        }
    }

    @Test("one that is missing is named with where it was looked for")
    func missing() async throws {
        let pictures = LinuxPictures(program: "/nowhere/tandem-pictures")
        await #expect(throws: PictureError.programMissing(path: "/nowhere/tandem-pictures")) {
            try await pictures.dimensions(of: [1])
        }
        let check = await pictures.check()
        #expect(!check.works)
        #expect(check.detail.contains("/nowhere/tandem-pictures"))
    }

    @Test(
        "another program in its place is not believed",
        arguments: [
            ("exit 3", PictureError.programFails(reason: "ended with status 3 before it began")),
            ("echo Hello, world", PictureError.programFails(reason: "is of another version than this one")),
            // A greeting, then: no reply, one of two gigabytes, one that is no JPEG.
            (
                #"printf 'TPH\1\7\00218'; head -c 64 /dev/zero | tr '\0' T; exec sleep 600"#,
                PictureError.givenUp(reason: "answered something else than a picture")
            ),
            (
                #"printf 'TPH\1\7\00218TPA\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\1\177\377\377\377'; exec sleep 600"#,
                PictureError.givenUp(reason: "answered something else than a picture")
            ),
            (
                #"printf 'TPH\1\7\00218TPA\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\4SVG!'; exec sleep 600"#,
                PictureError.givenUp(reason: "answered something else than a picture")
            ),
        ]
    )
    func impostor(script: String, error: PictureError) async throws {
        try await Self.withScript(script) { program in
            let pictures = LinuxPictures(program: program)
            await #expect(throws: error) {
                try await pictures.photo([1], within: 1000, pixelLimit: 1000)
            }
        }
    }

    @Test("it ends with the last that uses it")
    func orphan() async throws {
        var pictures: LinuxPictures? = LinuxPictures()
        _ = try await pictures?.dimensions(of: Self.small())
        let process = try #require(pictures?.idleProcess)
        #expect(Self.state(of: process) != nil)
        pictures = nil
        while !Task.isCancelled, Self.state(of: process) != nil { await Task.yield() }
        #expect(Self.state(of: process) == nil)
    }
}
