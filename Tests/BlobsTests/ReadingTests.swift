import GRDB
import Kernel
import KernelTesting
import Synchronization
import Testing
import Transport

@testable import Blobs

@Suite("Reading blobs", .timeLimit(.minutes(2)))
struct ReadingTests {
    let scene: BlobScene
    let store: BlobStore
    let photo = Samples.jpeg()

    init() throws {
        scene = try BlobScene()
        store = try scene.store()
    }

    private func answer(
        _ object: BlobObject,
        method: String = "GET",
        _ fields: (String, String)...
    ) async throws -> HTTPRouteResponse {
        let request = RouteRequest(
            method: method,
            target: "/media/\(object.key)",
            host: "h",
            clientAddress: nil,
            fields: fields.map { (name: $0.0, value: $0.1) }
        )
        return try await store.open(object.key).answer(request)
    }

    @Test("a whole blob comes with its type, its tag, and fields that let a browser run nothing")
    func whole() async throws {
        let object = try await scene.kept()
        let answer = try await answer(object)
        #expect(answer.status == 200)
        #expect(try await answer.bytes() == photo)
        #expect(answer.length == 400)
        #expect(answer["Content-Type"] == "image/jpeg")
        #expect(answer["Content-Disposition"] == "inline; filename*=UTF-8''\(object.key.name)")
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'")
        #expect(answer["Cache-Control"] == "private, max-age=86400, immutable")
        #expect(answer["Accept-Ranges"] == "bytes")
        #expect(answer["ETag"] == "\"\(Base64URL.encode(object.sha256))\"")
    }

    @Test("what is opaque is saved and never shown")
    func opaque() async throws {
        let object = try await scene.kept(Array("<script>".utf8), kind: "sealed")
        let answer = try await answer(object)
        #expect(answer["Content-Type"] == "application/octet-stream")
        #expect(answer["Content-Disposition"]?.hasPrefix("attachment;") == true)
    }

    @Test(
        "a range is answered by its bytes, and one outside of the blob by its size",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=398-", 398..<400), ("bytes=-5", 395..<400), ("bytes=100-9999", 100..<400),
            ("bytes=0-9223372036854775807", 0..<400), ("bytes=400-", nil), ("bytes=-0", nil),
        ] as [(String, Range<Int>?)]
    )
    func ranges(field: String, range: Range<Int>?) async throws {
        let object = try await scene.kept()
        let answer = try await answer(object, ("Range", field))
        guard let range else {
            #expect(answer.status == 416)
            #expect(answer["Content-Range"] == "bytes */400")
            return
        }
        #expect(answer.status == 206)
        #expect(answer["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/400")
        #expect(try await answer.bytes() == Array(photo[range]))
        #expect(answer.length == range.count)
    }

    @Test(
        "several ranges, other units and another version's tag get all of it",
        arguments: ["bytes=0-1,3-4", "lines=1-2", "bytes=5-2", "bytes="]
    )
    func notRanges(field: String) async throws {
        let object = try await scene.kept()
        #expect(try await answer(object, ("Range", field)).status == 200)
        #expect(try await answer(object, ("Range", "bytes=0-1"), ("If-Range", "\"other\"")).status == 200)
        let tag = "\"\(Base64URL.encode(object.sha256))\""
        #expect(try await answer(object, ("Range", "bytes=0-1"), ("If-Range", tag)).status == 206)
    }

    @Test("a client that has the blob is told so")
    func notModified() async throws {
        let object = try await scene.kept()
        let tag = "\"\(Base64URL.encode(object.sha256))\""
        for known in [tag, "W/\(tag)", "\"a\", \(tag)", "*"] {
            let answer = try await answer(object, ("If-None-Match", known))
            #expect(answer.status == 304)
            #expect(try await answer.bytes().isEmpty)
        }
        #expect(try await answer(object, ("If-None-Match", "\"a\"")).status == 200)
    }

    @Test("HEAD answers the fields without the bytes")
    func head() async throws {
        let object = try await scene.kept()
        let answer = try await answer(object, method: "HEAD")
        #expect(answer.status == 200 && answer.length == 400)
        #expect(try await answer.bytes().isEmpty)
    }

    @Test("a blob that is removed meanwhile is read to its end")
    func removedMeanwhile() async throws {
        let object = try await scene.kept([UInt8](repeating: 5, count: 600_000), kind: "sealed")
        let next = try await store.open(object.key).pieces(0..<object.size)
        var count = try await next()?.count ?? 0
        scene.clock.advance(by: .seconds(25 * 3600))
        await store.sweep()
        #expect(try scene.files().isEmpty)
        while let piece = try await next() { count += piece.count }
        #expect(count == 600_000)
    }

    @Test("4.3: what is read once is given up before its last bytes are handed out")
    func readOnce() async throws {
        let bytes = [UInt8](repeating: 5, count: 600_000)
        let object = try await scene.kept(bytes, kind: "sealed")
        let ends = Mutex(0)
        let answer = try await store.open(object.key).singleAnswer { ends.withLock { $0 += 1 } }
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["ETag"] == nil && answer["Accept-Ranges"] == nil)
        let body = SingleUseBody(try await store.open(object.key)) { ends.withLock { $0 += 1 } }
        var handedOut = 0
        while ends.withLock(\.self) == 0 { handedOut += try await body.next()?.count ?? 0 }
        #expect(handedOut == bytes.count)
        #expect(try await body.next() == nil)
        #expect(ends.withLock(\.self) == 1)
    }

    @Test("4.3: the last bytes stay where what is read once cannot be given up, and where its reader has gone")
    func keptWhole() async throws {
        let object = try await scene.kept([UInt8](repeating: 5, count: 600_000), kind: "sealed")
        let body = SingleUseBody(try await store.open(object.key)) { throw BlobError.diskFull }
        _ = try await body.next()
        _ = try await body.next()
        await #expect(throws: BlobError.diskFull) { _ = try await body.next() }
        let left = SingleUseBody(try await store.open(object.key)) { Issue.record("nobody read it to its end") }
        _ = try await left.next()
    }
}

extension HTTPRouteResponse {
    /// The first value of a field.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    var length: Int? {
        switch body {
        case .bytes(let bytes): bytes.count
        case .pieces(let length, _): length
        }
    }

    func bytes() async throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .pieces(_, let next):
            var bytes: [UInt8] = []
            while let piece = try await next() { bytes += piece }
            return bytes
        }
    }
}
