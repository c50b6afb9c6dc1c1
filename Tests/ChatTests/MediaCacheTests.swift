import Accounts
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Chat

/// A media server that a test scripts.
private final class MediaServer: MediaSigning, MediaFetching {
    struct State {
        var signed: [[String]] = []
        var fetched: [String] = []
        var refused: Set<String> = []
        var isDown = false
        var signings = 0
    }

    let state = Mutex(State())
    /// Fetches wait until this is true.
    let isOpen = LatestValue(true)
    let begun = LatestValue(0)

    func sign(_ objectKeys: [String]) async throws -> [String: SignedURL] {
        try state.withLock { state in
            state.signed.append(objectKeys)
            if state.isDown { throw ChatError.unreachable }
            state.signings += 1
            var urls: [String: SignedURL] = ["foreign": SignedURL("https://h/foreign")].compactMapValues { $0 }
            for key in objectKeys { urls[key] = SignedURL("https://h/\(key)?n=\(state.signings)&e=2000000000") }
            return urls
        }
    }

    func fetch(_ url: URL, limit: Int) async throws -> Data {
        begun.update { $0 += 1 }
        _ = try await first(isOpen) { $0 }
        return try state.withLock { state in
            state.fetched.append(url.absoluteString)
            if state.refused.contains(url.absoluteString) { throw ChatError.refused(.noPermission) }
            return Data(url.path.utf8)
        }
    }

    var fetched: [String] { state.withLock(\.fetched) }
    var signed: [[String]] { state.withLock(\.signed) }
}

@Suite("The cache of pictures and voice notes", .timeLimit(.minutes(4)))
struct MediaCacheTests {
    let scene: ChatScene
    private let server = MediaServer()
    let caches: URL
    let cache: MediaCacheService

    init() async throws {
        scene = try ChatScene()
        caches = FileManager.default.temporaryDirectory.appending(component: "media-tests-\(UUID.randomText())")
        cache = MediaCacheService(in: caches, signer: server, fetcher: server, time: ImmediateClock())
        try await cache.initialize(userID: scene.ada)
    }

    private func files() throws -> [String] {
        let root = caches.path
        return (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).sorted()
    }

    private func image(_ key: String, url: String? = nil, expireAt: Int64? = nil) -> ChatMessage {
        var payload = ImagePayload(objectKey: key)
        payload.url = url
        payload.expireAt = expireAt
        return scene.message("m-\(key)", .image(payload))
    }

    private func done() async {
        await cache.settled()
        await cache.close()
        // The folder is the test's own.
        try? FileManager.default.removeItem(at: caches)
    }

    @Test(
        "M1, M5: the sender's bytes lie in the conversation's folder, the receiver's in the root, and half a file never does"
    )
    func places() async throws {
        let key = "chat/image/2026/03/20/abc.jpg"
        let own = try await cache.save(Data("a".utf8), for: key, in: scene.conversation)
        let theirs = try await cache.save(Data("b".utf8), for: "k.jpg")
        #expect(
            try files() == [
                "media_7", "media_7/k.jpg", "media_7/si_tb_7_tb_9",
                "media_7/si_tb_7_tb_9/chat_image_2026_03_20_abc.jpg",
            ]
        )
        #expect(try Data(contentsOf: own) == Data("a".utf8))
        #expect(await cache.localURL(for: key) == own)
        #expect(await cache.localURL(for: "k.jpg") == theirs)
        await done()
    }

    @Test(
        "M2: keys that could leave the folder or break a name are refused",
        arguments: [
            "", "..", "a/../b", "../../etc/passwd", "a\u{0}b", "a\nb", ".hidden", ".", "a\\b",
            String(repeating: "a", count: 201),
        ]
    )
    func names(key: String) async throws {
        #expect(throws: ChatError.badObjectKey) { try MediaName(objectKey: key) }
        await #expect(throws: ChatError.badObjectKey) { try await cache.save(Data(), for: key) }
        #expect(await cache.localURL(for: key) == nil)
        #expect(await cache.prefetch(nil, for: key) == nil)
        #expect(try files() == ["media_7"])
        await done()
    }

    @Test("M2: a key becomes a name, slash by slash")
    func name() throws {
        #expect(try MediaName(objectKey: "chat/image/a.jpg").text == "chat_image_a.jpg")
        #expect(try MediaName(objectKey: String(repeating: "a", count: 200)).text.utf8.count == 200)
    }

    @Test("M3: another account sees nothing of the first, and signing out forgets all until it comes back")
    func accounts() async throws {
        try await cache.save(Data("a".utf8), for: "k")
        try await cache.initialize(userID: scene.bob)
        #expect(await cache.localURL(for: "k") == nil)
        await cache.close()
        #expect(await cache.localURL(for: "k") == nil)
        await #expect(throws: ChatError.noAccount) { try await cache.save(Data(), for: "k") }
        try await cache.initialize(userID: scene.ada)
        #expect(await cache.localURL(for: "k") != nil)
        await done()
    }

    @Test("M3: what is fetched for an account that has gone is kept for nobody")
    func switchWhileFetching() async throws {
        server.isOpen.set(false)
        let prefetching = Task { await cache.prefetch(SignedURL("https://h/k"), for: "k") }
        _ = try await first(server.begun) { $0 > 0 }
        try await cache.initialize(userID: scene.bob)
        server.isOpen.set(true)
        #expect(await prefetching.value == nil)
        await cache.settled()
        #expect(try files().filter { $0.hasSuffix("/k") } == [])
        await done()
    }

    @Test(
        "M4, M5: files are found once at the start, also in conversations' folders; what a crash left half is taken away"
    )
    func index() async throws {
        let root = caches.appending(component: "media_7")
        try await cache.save(Data("a".utf8), for: "in/folder", in: scene.conversation)
        try Data("x".utf8).write(to: root.appending(component: ".partial-1"))
        try FileManager.default.createDirectory(
            at: root.appending(component: "foreign"),
            withIntermediateDirectories: true
        )
        try Data("x".utf8).write(to: root.appending(components: "foreign", "inside"))
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(component: "link").path,
            withDestinationPath: "/etc/passwd"
        )
        try await cache.initialize(userID: scene.ada)
        #expect(await cache.localURL(for: "in/folder") != nil)
        #expect(await cache.localURL(for: "inside") == nil)
        #expect(await cache.localURL(for: "link") == nil)
        #expect(try !files().contains("media_7/.partial-1"))
        // Put there by another hand: no look-up walks the folder.
        try Data("x".utf8).write(to: root.appending(component: "later"))
        #expect(await cache.localURL(for: "later") == nil)
        await done()
    }

    @Test("M6: several calls for one object at a time are one fetch, and one that is here is none")
    func coalescing() async throws {
        server.isOpen.set(false)
        let url = SignedURL("https://h/k?e=2000000000")
        async let one = cache.prefetch(url, for: "k")
        async let two = cache.prefetch(url, for: "k")
        _ = try await first(server.begun) { $0 > 0 }
        server.isOpen.set(true)
        #expect(await one == nil)
        #expect(await two == nil)
        _ = await cache.prefetch(url, for: "k")
        #expect(server.fetched == ["https://h/k?e=2000000000"])
        #expect(server.signed.isEmpty)
        await done()
    }

    @Test("M6, B16: an address that is over or refused is signed anew, and the row gets the fresh one")
    func resigning() async throws {
        let old = try #require(SignedURL("https://h/k?e=5"))
        #expect(await cache.prefetch(old, for: "k")?.text == "https://h/k?n=1&e=2000000000")
        server.state.withLock { $0.refused = ["https://h/r"] }
        #expect(await cache.prefetch(SignedURL("https://h/r"), for: "r")?.text == "https://h/r?n=2&e=2000000000")
        #expect(await cache.localURL(for: "r") != nil)
        #expect(server.signed == [["k"], ["r"]])
        await done()
    }

    @Test("M7, R1: a receiver who has seen nothing gets an address for every object, with one request to sign")
    func resolves() async throws {
        try await cache.save(Data("a".utf8), for: "here")
        var images = MultiImagePayload(objectKeys: ["m1", "m2", "here"])
        images.urls = ["https://h/m1"]
        let messages = [
            image("here"), image("empty"), image("empty"), image("over", url: "https://h/over", expireAt: 5),
            image("good", url: "https://h/good", expireAt: 2_000_000_000), scene.message("mm", .multiImage(images)),
            scene.message("f", .flashImage(FlashImagePayload(objectKey: "chat/flash/x"))), scene.message("t"),
        ]
        let resolution = await cache.resolveMediaURLs(messages)
        let urls = resolution.urls
        #expect(resolution.unavailable.isEmpty)
        #expect(server.signed == [["empty", "over", "m2"]])
        #expect(urls.keys.sorted() == ["empty", "here", "m2", "over"])
        #expect(urls["here"]?.text.hasPrefix("file://") == true)
        await cache.settled()
        #expect(
            server.fetched.sorted() == [
                "https://h/empty?n=1&e=2000000000", "https://h/good", "https://h/m1", "https://h/m2?n=1&e=2000000000",
                "https://h/over?n=1&e=2000000000",
            ]
        )
        // The second look needs no network at all.
        let again = await cache.resolveMediaURLs(messages).urls
        #expect(again.values.allSatisfy { $0.text.hasPrefix("file://") })
        #expect(again.count == 6)
        #expect(server.signed.count == 1)
        await done()
    }

    @Test("M7, C8: where signing fails the rows keep what they have, and only then is a picture unavailable")
    func signingFails() async throws {
        server.state.withLock { $0.isDown = true }
        let resolution = await cache.resolveMediaURLs([image("a"), image("b", url: "https://h/b", expireAt: 5)])
        #expect(resolution == MediaResolution(urls: [:], unavailable: ["a", "b"]))
        await done()
    }

    @Test("M6, M7, B13: photos that burn are neither kept nor fetched nor signed")
    func flash() async throws {
        let key = "chat/flash/2026/03/20/abc.jpg"
        await #expect(throws: ChatError.neverCached) { try await cache.save(Data("a".utf8), for: key) }
        #expect(await cache.prefetch(SignedURL("https://h/x"), for: key) == nil)
        // Also where a message says that it is an ordinary picture.
        #expect(await cache.resolveMediaURLs([image(key)]) == MediaResolution())
        #expect(server.signed.isEmpty && server.fetched.isEmpty)
        #expect(try files() == ["media_7"])
        await done()
    }

    @Test("M8: a file that the system took away is not here, nor is a folder")
    func purged() async throws {
        let url = try await cache.save(Data("a".utf8), for: "k")
        try FileManager.default.removeItem(at: url)
        #expect(await cache.localURL(for: "k") == nil)
        try FileManager.default.removeItem(at: caches)
        try await cache.save(Data("b".utf8), for: "k", in: scene.conversation)
        #expect(await cache.localURL(for: "k") != nil)
        await done()
    }

    @Test("a file beyond the largest upload is not kept")
    func tooLarge() async throws {
        let data = Data(count: UploadKind.image.limit + 1)
        await #expect(throws: ChatError.tooLong("media", limit: UploadKind.image.limit)) {
            try await cache.save(data, for: "k")
        }
        await done()
    }
}
