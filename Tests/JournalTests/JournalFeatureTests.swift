import CommandClient
import Control
import Foundation
import HomeTesting
import Kernel
import TandemPhone
import Testing

@testable import Journal

@Suite("A phone's journal", .timeLimit(.minutes(3)))
struct JournalFeatureTests {
    private func withPhone(_ body: @escaping @Sendable (HomePhone) async throws -> Void) async throws {
        let plan = PhonePlan(features: [JournalFeature.maker(pictures: FixedPictures())])
        try await Home.run(hubs: [HubPlan()], computers: [], phones: [plan]) { home in
            try await body(try #require(home.phones.first))
        }
    }

    @Test("what is written is there when the phone's program starts again, with its media")
    func restart() async throws {
        try await withPhone { phone in
            let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID.randomText())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let photo = folder.appending(path: "photo.png")
            try Data(FixedPictures.signature + [9, 9]).write(to: photo)
            let control = try await phone.role.control
            let category = try await control.call(JournalControl.addCategory, .init(name: "Travel", color: "#00ff00"))
            #expect(category.color == "#00FF00" && category.path == "Travel")
            let story = try await control.call(
                JournalControl.add,
                .init(title: "Rigi", content: "Very *high*", latitude: 47, longitude: 8, categories: ["Travel"])
            )
            #expect(story.categories.map(\.path) == ["Travel"] && story.content == "Very *high*")
            let medium = try await control.call(JournalControl.attach, .init(story.id, path: photo.path))
            #expect(medium.hasThumbnail && medium.width == 40)
            await phone.stop()
            try await phone.start()
            let again = try await phone.role.control
            let shown = try await again.call(JournalControl.show, .init(String(story.id.prefix(6))))
            #expect(shown.id == story.id && shown.media == [medium] && shown.latitude == 47)
            let target = folder.appending(path: "copy.png").path
            _ = try await again.call(JournalControl.save, .init(medium.id, path: target))
            #expect(try Data(contentsOf: URL(filePath: target)) == Data(FixedPictures.signature + [9, 9]))
            let found = try await again.call(JournalControl.search, .init(words: "hig", category: "travel"))
            #expect(found.stories.map(\.id) == [story.id] && found.stories.first?.excerpt == "Very high")
            #expect(found.next == nil)
        }
    }

    @Test("the journal's methods refuse what makes no sense, each with a sentence")
    func refusals() async throws {
        try await withPhone { phone in
            let control = try await phone.role.control
            await #expect(throws: JournalError.badRequest("latitude and longitude")) {
                try await control.call(JournalControl.add, .init(content: "x", latitude: 91, longitude: 0))
            }
            await #expect(throws: JournalError.badRequest("color")) {
                try await control.call(JournalControl.addCategory, .init(name: "x", color: "red"))
            }
            await #expect(throws: JournalError.badRequest("path")) {
                try await control.call(JournalControl.importing, .init(path: "relative"))
            }
            await #expect(throws: JournalError.badRequest("format")) {
                try await control.call(JournalControl.importing, .init(path: "/x", format: "word"))
            }
            await #expect(throws: JournalError.badRequest("before")) {
                try await control.call(JournalControl.list, .init(before: "x"))
            }
            await #expect(throws: JournalError.badSetting(type: "date")) {
                try await control.call(JournalControl.set, .init(key: "k", type: "date", value: "x"))
            }
            #expect(try await control.call(JournalControl.list, .init()).stories == [])
        }
    }

    @Test("pages are told of each change")
    func topic() async throws {
        try await withPhone { phone in
            let topic = try #require(try await phone.role.topics.first { $0.name == JournalControl.topic })
            let (told, tell) = AsyncStream.makeStream(of: Void.self)
            let control = try await phone.role.control
            let listening = Task { await topic.run { _ in tell.yield(()) } }
            defer { listening.cancel() }
            // Written again until the listener, which begins by itself, has heard of one.
            let writing = Task {
                while !Task.isCancelled {
                    _ = try await control.call(JournalControl.set, .init(key: "k", type: "int", value: "1"))
                }
            }
            defer { writing.cancel() }
            var heard = told.makeAsyncIterator()
            #expect(await heard.next() != nil)
        }
    }

    @Test("a text that is too long for one answer is cut there, and says so")
    func longText() async throws {
        try await withPhone { phone in
            let control = try await phone.role.control
            let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID.randomText())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let long = String(repeating: "word ", count: 200_000)
            try Data(long.utf8).write(to: folder.appending(path: "long.md"))
            let report = try await control.call(JournalControl.importing, .init(path: folder.path))
            #expect(report.added == 1 && report.format == "markdown")
            let id = try #require(try await control.call(JournalControl.list, .init()).stories.first?.id)
            let story = try await control.call(JournalControl.show, .init(id))
            #expect(story.isCut && story.content.utf8.count == 512 << 10 && long.hasPrefix(story.content))
        }
    }
}
