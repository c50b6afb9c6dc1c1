import Archives
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Journal

@Suite("A journal", .timeLimit(.minutes(3)))
struct RepositoryTests {
    @Test("a story is written, changed part by part, deleted and restored")
    func story() async throws {
        let scene = try JournalScene()
        let repository = scene.repository
        _ = try await repository.addCategory("Travel", under: nil, color: nil, icon: nil)
        let added = try await repository.add(
            StoryDraft(title: "Rigi", content: "# Up\n\nVery *high*.", mood: "glad", categories: ["travel"])
        )
        #expect(added.story.plainText == "Up\n\nVery high." && added.story.happenedAt == JournalScene.start)
        #expect(added.categories.count == 1)
        scene.clock.advance(by: .seconds(1))
        let id = String(added.story.id.prefix(8))
        let edited = try await repository.edit(id, StoryDraft(title: "", mood: "tired"))
        #expect(
            edited.story.title == nil && edited.story.mood == "tired" && edited.story.content == added.story.content
        )
        #expect(edited.story.updatedAt == JournalScene.start + 1000 && edited.categories == added.categories)
        #expect(try await repository.edit(id, StoryDraft(categories: [])).categories == [])
        _ = try await repository.setRemoved(id, true)
        #expect(try await scene.stories() == [])
        #expect(try await scene.stories(StoryQuery(isRemoved: true)).map(\.id) == [added.story.id])
        #expect(try await scene.stories(StoryQuery(words: "high")) == [])
        _ = try await repository.setRemoved(id, false)
        #expect(try await scene.stories(StoryQuery(words: "high")).map(\.id) == [added.story.id])
        let again = try await repository.setRemoved(id, false)
        #expect(again.story.updatedAt == (try await repository.detail(id)).story.updatedAt)
    }

    @Test("nothing, too much, and what is not there are refused")
    func refusals() async throws {
        let scene = try JournalScene()
        let repository = scene.repository
        await #expect(throws: JournalError.blank) { try await repository.add(StoryDraft(content: " \n")) }
        await #expect(throws: JournalError.tooLong("story", limit: 512 << 10)) {
            try await repository.add(StoryDraft(content: String(repeating: "x", count: 512 << 10 + 1)))
        }
        await #expect(throws: JournalError.unknownCategory("Nowhere")) {
            try await repository.add(StoryDraft(content: "a", categories: ["Nowhere"]))
        }
        #expect(try await repository.store.read { try $0.counts() } == JournalCounts())
        await #expect(throws: JournalError.unknownStory) { try await repository.detail("abc") }
        await #expect(throws: JournalError.unknownStory) { try await repository.detail("") }
        for id in ["ab1", "ab2"] {
            try await repository.change { try $0.put(Story(id: id, createdAt: 1, updatedAt: 1, happenedAt: 1)) }
        }
        await #expect(throws: JournalError.severalStories) { try await repository.detail("ab") }
        #expect(try await repository.detail("ab1").story.id == "ab1")
    }

    @Test("pages of a list go on behind each other, also where stories happened at one moment")
    func pages() async throws {
        let scene = try JournalScene()
        for number in 0..<25 {
            let moment = Int64(number / 10) - 1
            try await scene.repository.change {
                try $0.put(Story(id: "s\(number)", createdAt: 0, updatedAt: 0, happenedAt: moment))
            }
        }
        var (found, query) = ([String](), StoryQuery(limit: 7))
        while true {
            let page = try await scene.repository.list(query, in: nil).stories
            found += page.map(\.story.id)
            guard let last = page.last else { break }
            let place = StoryQuery.Place(happenedAt: last.story.happenedAt, number: last.number)
            query.before = StoryQuery.Place(place.text)
            #expect(query.before == place)
        }
        #expect(found == (0..<25).reversed().map { "s\($0)" })
        #expect(StoryQuery.Place("x") == nil && StoryQuery.Place("") == nil && StoryQuery.Place("-5") == nil)
        let some = try await scene.stories(StoryQuery(from: 0, until: 1))
        #expect(some.count == 10)
    }

    @Test("stories are found by beginnings of words, without accents, in Chinese, and by words of both parts")
    func search() async throws {
        let scene = try JournalScene()
        for (title, text) in [("Café", "a mountain of cake"), ("天气", "今天天气很好"), ("Plain", "nothing \"quoted\"")] {
            _ = try await scene.repository.add(StoryDraft(title: title, content: text))
        }
        func titles(_ words: String) async throws -> [String?] {
            try await scene.stories(StoryQuery(words: words)).map(\.title)
        }
        #expect(try await titles("mount") == ["Café"])
        #expect(try await titles("cafe cake") == ["Café"])
        #expect(try await titles("天气") == ["天气"])
        #expect(try await titles("\"quoted") == ["Plain"])
        for words in ["OR", "***", ""] { #expect(try await titles(words) == [], "\(words)") }
        let listed = try await scene.repository.list(StoryQuery(words: "cake"), in: nil).stories
        #expect(listed.first?.found == "a mountain of cake")
        let long = String(repeating: "word ", count: 50) + "needle\n" + String(repeating: "word ", count: 50)
        let excerpt = FoundText.excerpt(of: long, around: "NEEDLE x")
        #expect(excerpt.hasPrefix("…") && excerpt.contains("needle word") && excerpt.count <= 201)
    }

    @Test("a category counts with those inside of it, moves with them, and never into itself")
    func categories() async throws {
        let scene = try JournalScene()
        let repository = scene.repository
        let travel = try await repository.addCategory("Travel", under: nil, color: nil, icon: nil)
        let italy = try await repository.addCategory("Italy", under: "Travel", color: "#00FF00", icon: "flag")
        let rome = try await repository.addCategory("Rome", under: "travel/italy", color: nil, icon: nil)
        #expect(travel.level == 1 && italy.level == 2 && rome.level == 3)
        _ = try await repository.add(StoryDraft(content: "Forum", categories: ["Rome"]))
        #expect(try await repository.list(StoryQuery(), in: "Travel").stories.count == 1)
        await #expect(throws: JournalError.categoryExists("italy")) {
            try await repository.addCategory("italy", under: "Travel", color: nil, icon: nil)
        }
        await #expect(throws: JournalError.categoryCycle) {
            try await repository.editCategory("Travel", name: nil, parent: "Rome", color: nil, sortOrder: nil)
        }
        await #expect(throws: JournalError.categoryHasParts) { try await repository.removeCategory("Italy") }
        _ = try await repository.editCategory("Italy", name: "Italia", parent: "", color: nil, sortOrder: 1)
        let (tree, counts) = try await repository.categories()
        #expect(tree.path(of: rome.id) == ["Italia", "Rome"] && tree[rome.id]?.level == 2)
        #expect(counts == [rome.id: 1])
        _ = try await repository.removeCategory("Rome")
        #expect(try await repository.categories().tree[rome.id] == nil)
        #expect(try await scene.stories().count == 1)
        await #expect(throws: JournalError.blank) {
            try await repository.addCategory("  ", under: nil, color: nil, icon: nil)
        }
    }

    @Test("a picture is kept encrypted with a thumbnail and its sum, and is given back as it was")
    func media() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        let bytes = FixedPictures.signature + [UInt8](repeating: 9, count: 100_000)
        let file = try scene.file("photo.PNG", bytes)
        let medium = try await scene.repository.attach(file.path, to: story.id)
        #expect(medium.kind == .image && medium.width == 40 && medium.height == 30 && medium.storyId == story.id)
        #expect(medium.path?.text == "Images/2026/11/\(medium.id).png")
        let path = try #require(medium.path)
        let vault = try scene.repository.vault
        let stored = try Data(contentsOf: vault.url(path))
        var checksum = CRC32()
        checksum.update(stored)
        #expect(medium.crc32 == checksum.value && medium.thumbnailCRC32 != nil)
        #expect(stored.range(of: Data(repeating: 9, count: 32)) == nil && Int64(stored.count) == medium.fileSize)
        let target = scene.folder.appending(path: "out.png").path
        _ = try await scene.repository.save(medium.id, thumbnail: false, to: target)
        #expect(try Data(contentsOf: URL(filePath: target)) == Data(bytes))
        let small = scene.folder.appending(path: "small.jpg").path
        _ = try await scene.repository.save(medium.id, thumbnail: true, to: small)
        #expect(try Data(contentsOf: URL(filePath: small)) == Data([1, 2, 3, 4]))
        await #expect(throws: JournalError.notWritten(path: target)) {
            try await scene.repository.save(medium.id, thumbnail: false, to: target)
        }
        let text = try scene.file("notes.txt", "hello")
        let other = try await scene.repository.attach(text.path, to: story.id)
        #expect(other.kind == .file && other.thumbnailPath == nil)
        await #expect(throws: JournalError.unknownMedium) {
            try await scene.repository.save("x", thumbnail: false, to: small + "2")
        }
        await #expect(throws: JournalError.unreadable(path: "/nonexistent")) {
            try await scene.repository.attach("/nonexistent", to: story.id)
        }
        await #expect(throws: JournalError.unreadable(path: scene.folder.path)) {
            try await scene.repository.attach(scene.folder.path, to: story.id)
        }
    }

    @Test("a setting has a value of its type")
    func settings() async throws {
        let scene = try JournalScene()
        let repository = scene.repository
        for (type, value) in [("bool", "true"), ("int", "-5"), ("string", ""), ("json", "{\"a\":1}")] {
            #expect(try await repository.set("k", type: type, value: value).value == value)
        }
        for (type, value) in [("bool", "yes"), ("int", "1.5"), ("json", "{")] {
            await #expect(throws: JournalError.badSetting(type: type)) {
                try await repository.set("k", type: type, value: value)
            }
        }
        #expect(try await repository.settings().map(\.value) == ["{\"a\":1}"])
    }

    @Test("Markdown becomes plain text, and a text that is hostile to it costs no more than it is long")
    func plainText() {
        #expect(
            MarkdownText.plain("## A *b* `c`\n> d [e](http://f) ![g](media://h) i\\.j\n```\nk\n```")
                == "A b c\nd e g i.j\n\nk"
        )
        let long = String(repeating: "![](", count: 100_000)
        #expect(MarkdownText.plain(long).utf8.count <= long.utf8.count)
    }
}
