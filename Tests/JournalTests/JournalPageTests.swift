import Foundation
import Kernel
import Testing
import Transport

@testable import Journal

@Suite("The journal's media for a page", .timeLimit(.minutes(3)))
struct JournalPageTests {
    private struct Answer {
        let status: Int
        let fields: [String: String]
        let body: [UInt8]
    }

    private func ask(
        _ query: String,
        _ fields: [(name: String, value: String)] = [],
        of scene: JournalScene
    ) async throws -> Answer {
        let route = try #require(try JournalPage(repository: scene.repository).routes().first)
        let request = RouteRequest(
            method: "GET",
            target: "/api/journal/media?\(query)",
            host: "127.0.0.1",
            clientAddress: nil,
            fields: fields
        )
        let response = try await route.handler(request, HTTPRequestBody(limit: 0) { nil })
        var body: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .pieces(_, let next): while let piece = try await next() { body += piece }
        }
        let said = Dictionary(response.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return Answer(status: response.status, fields: said, body: body)
    }

    private func medium(_ name: String, _ bytes: [UInt8], in scene: JournalScene) async throws -> Medium {
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        return try await scene.repository.attach(scene.file(name, bytes).path, to: story.id)
    }

    @Test("a picture is shown in place, whole and small, and nothing of it is kept by the browser")
    func picture() async throws {
        let scene = try JournalScene()
        let bytes = FixedPictures.signature + [0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 9, count: 300_000)
        let medium = try await medium("a.png", bytes, in: scene)
        let whole = try await ask("id=\(medium.id)", of: scene)
        #expect(whole.status == 200 && whole.body == bytes && whole.fields["Content-Type"] == "image/png")
        #expect(whole.fields["Cache-Control"] == "no-store" && whole.fields["X-Content-Type-Options"] == "nosniff")
        #expect(whole.fields["Content-Disposition"]?.hasPrefix("inline") == true && whole.fields["ETag"] != nil)
        let small = try await ask("id=\(medium.id)&thumbnail=1", of: scene)
        #expect(small.body == [1, 2, 3, 4] && small.fields["ETag"] != whole.fields["ETag"])
    }

    @Test("any part of a video is given, across the bounds of its segments, and a part behind its end is refused")
    func ranges() async throws {
        let scene = try JournalScene()
        var bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        bytes.replaceSubrange(0..<24, with: [0, 0, 0, 24] + Array("ftypisom\0\0\0\0isommp42".utf8))
        let medium = try await medium("a.mp4", bytes, in: scene)
        for range in [0..<1, 65_530..<65_542, 262_143..<262_146, 100_000..<699_999, 699_999..<700_000] {
            let field = (name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
            let part = try await ask("id=\(medium.id)", [field], of: scene)
            #expect(part.status == 206 && part.body == Array(bytes[range]), "\(range)")
            #expect(
                part.fields["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/700000"
            )
            #expect(part.fields["Content-Type"] == "video/mp4")
        }
        let behind = try await ask("id=\(medium.id)", [(name: "Range", value: "bytes=700000-")], of: scene)
        #expect(behind.status == 416 && behind.body.isEmpty)
    }

    @Test("a file that a browser could run is saved and not shown; an empty one, too")
    func others() async throws {
        let scene = try JournalScene()
        for (name, text) in [("a.html", "<script>"), ("b.svg", "<svg/>"), ("c.txt", "")] {
            let medium = try await medium(name, Array(text.utf8), in: scene)
            let answer = try await ask("id=\(medium.id)", of: scene)
            #expect(answer.status == 200 && answer.body == Array(text.utf8))
            #expect(answer.fields["Content-Type"] == "application/octet-stream", "\(name)")
            #expect(answer.fields["Content-Disposition"]?.hasPrefix("attachment") == true)
        }
    }

    @Test("what is not there, or is damaged, is refused with a sentence")
    func refusals() async throws {
        let scene = try JournalScene()
        #expect(try await ask("", of: scene).status == 400)
        #expect(try await ask("id=nothing", of: scene).status == 404)
        let medium = try await medium("a.txt", [1, 2, 3], in: scene)
        #expect(try await ask("id=\(medium.id)&thumbnail=1", of: scene).status == 404)
        let vault = try scene.repository.vault
        try Data(repeating: 0xFF, count: 200).write(to: vault.url(try #require(medium.path)))
        #expect(try await ask("id=\(medium.id)", of: scene).status != 200)
    }
}
