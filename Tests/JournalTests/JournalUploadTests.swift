import Foundation
import Kernel
import Synchronization
import Testing
import Transport

@testable import Journal

@Suite("Files that a page puts into the journal", .timeLimit(.minutes(3)))
struct JournalUploadTests {
    /// What the browser sends, in pieces of a size.
    private func body(_ bytes: [UInt8], pieces size: Int = 64 << 10, limit: Int = 1 << 20) -> HTTPRequestBody {
        let left = Mutex(bytes[...])
        return HTTPRequestBody(limit: limit) {
            left.withLock { left in
                guard !left.isEmpty else { return nil }
                defer { left = left.dropFirst(size) }
                return Array(left.prefix(size))
            }
        }
    }

    private func ask(_ query: String, _ body: HTTPRequestBody, of scene: JournalScene) async throws -> HTTPRouteResponse
    {
        let uploads = JournalUploads(repository: scene.repository, folder: scene.folder)
        let route = try #require(try uploads.routes().first)
        let request = RouteRequest(
            method: "POST",
            target: "/api/journal/media?\(query)",
            host: "127.0.0.1",
            clientAddress: nil
        )
        return try await route.handler(request, body)
    }

    private func leftovers(of scene: JournalScene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
            .filter { $0.hasPrefix(JournalFeature.unpackedPrefix) }
    }

    @Test("a file becomes a medium of its story, and nothing of it stays unencrypted")
    func added() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        let bytes = FixedPictures.signature + [UInt8](repeating: 9, count: 300_000)
        let answer = try await ask("story=\(story.id)&name=a%20sun.png", body(bytes), of: scene)
        #expect(answer.status == 200)
        let media = try await scene.repository.detail(story.id).media
        let medium = try #require(media.first)
        #expect(media.count == 1 && medium.kind == .image && medium.fileName.hasSuffix(".png"))
        let saved = scene.folder.appending(path: "saved.png")
        _ = try await scene.repository.save(medium.id, thumbnail: false, to: saved.path)
        #expect(try Data(contentsOf: saved) == Data(bytes))
        #expect(try leftovers(of: scene).isEmpty)
    }

    @Test(
        "a file for a story that is not there is refused before any of it is read",
        arguments: ["story=none&name=a.png", "name=a.png", "story=&name=a.png"]
    )
    func noStory(query: String) async throws {
        let scene = try JournalScene()
        let body = HTTPRequestBody(limit: 1) {
            Issue.record("The body was read.")
            return nil
        }
        #expect(try await ask(query, body, of: scene).status >= 400)
        #expect(try leftovers(of: scene).isEmpty)
    }

    @Test("a name is no path: only its ending is kept")
    func name() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        let answer = try await ask("story=\(story.id)&name=..%2F..%2Fetc%2Fpasswd", body([1, 2, 3]), of: scene)
        #expect(answer.status == 200)
        let medium = try #require(try await scene.repository.detail(story.id).media.first)
        #expect(medium.kind == .file && medium.fileName.hasSuffix(".bin"))
    }

    @Test("a file that is too large, or whose connection breaks, leaves nothing behind")
    func broken() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        let query = "story=\(story.id)&name=a.bin"
        await #expect(throws: RouteError.self) {
            try await ask(query, body([UInt8](repeating: 1, count: 4000), pieces: 1000, limit: 2500), of: scene)
        }
        let count = Mutex(0)
        let cut = HTTPRequestBody(limit: 1 << 20) {
            guard
                count.withLock({
                    $0 += 1; return $0
                }) < 3
            else { throw CancellationError() }
            return [1, 2, 3]
        }
        #expect(try await ask(query, cut, of: scene).status >= 400)
        #expect(try await scene.repository.detail(story.id).media.isEmpty)
        #expect(try leftovers(of: scene).isEmpty)
    }
}
