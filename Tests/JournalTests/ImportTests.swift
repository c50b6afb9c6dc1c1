import Archives
import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("What comes into a journal from elsewhere", .timeLimit(.minutes(3)))
struct ImportTests {
    private static let photo = FixedPictures.signature + [UInt8](repeating: 3, count: 50)

    // MARK: Day One

    private static let entry: JSONValue = [
        "uuid": "00112233445566778899AABBCCDDEEFF", "creationDate": "2024-05-06T07:08:09Z",
        "modifiedDate": "2024-05-07T00:00:00Z", "starred": true, "timeZone": "Europe/Zurich",
        "tags": ["hiking", "summer"], "weather": ["temperatureCelsius": .number(21.5)],
        "text":
            "# Up the hill\n\nSteep\\.\n\n![](dayone-moment://AAAABBBBCCCCDDDDEEEEFFFF00001111)\n![](dayone-moment:/video/0000BBBBCCCCDDDDEEEEFFFF00001111)",
        "location": [
            "latitude": .number(47.05), "longitude": .number(8.48), "placeName": "Rigi Kulm", "localityName": "Arth",
            "country": "Switzerland",
        ],
        "photos": [
            [
                "identifier": "AAAABBBBCCCCDDDDEEEEFFFF00001111", "md5": "900150983cd24fb0d6963f7d28e17f72",
                "type": "jpeg", "width": 40, "height": 30, "orderInEntry": 0,
            ]
        ],
        // Exports lack the type of some files.
        "videos": [
            [
                "identifier": "0000BBBBCCCCDDDDEEEEFFFF00001111", "md5": "0cc175b9c0f1b6a831c399e269772661",
                "duration": 4,
            ]
        ],
    ]

    private static func journal(_ entries: [JSONValue]) -> String {
        JSONValue.object(["metadata": ["version": "1.0"], "entries": .array(entries)]).canonicalText
    }

    @Test("an entry of Day One keeps its text, times, place, tags, other members and media")
    func dayOne() async throws {
        let scene = try JournalScene()
        try scene.file("in/Trips.json", Self.journal([Self.entry]))
        try scene.file("in/photos/900150983cd24fb0d6963f7d28e17f72.png", Self.photo)
        try scene.file("in/videos/0cc175b9c0f1b6a831c399e269772661.mov", [1, 2, 3])
        let report = try await scene.bring("in")
        #expect(report.format == .dayOne && report.added == 1 && report.addedMedia == 2 && report.problems == [])
        let detail = try await scene.repository.detail("00112233-4455-6677-8899-aabbccddeeff")
        let story = detail.story
        #expect(story.title == "Up the hill" && story.happenedAt == 1_714_979_289_000)
        #expect(story.updatedAt == 1_715_040_000_000)
        #expect(story.content?.contains("media://aaaabbbb-cccc-dddd-eeee-ffff00001111") == true)
        #expect(story.content?.contains("dayone") == false && story.plainText?.hasPrefix("Steep.") == true)
        #expect(story.place == StoryPlace(latitude: 47.05, longitude: 8.48, horizontalAccuracy: 0))
        #expect(story.locationName == "Rigi Kulm" && story.locationCity == "Arth")
        #expect(story.extra["dayOne"]?["starred"] == true && story.extra["dayOne"]?["weather"] != nil)
        #expect(Set(detail.categories.map { detail.tree.path(of: $0) }) == [["Trips"], ["hiking"], ["summer"]])
        #expect(Set(detail.media.map(\.kind)) == [.image, .video])
        #expect(detail.media.first { $0.kind == .image }?.width == 40)
    }

    @Test("the same import again changes nothing, and what was written here later stays")
    func again() async throws {
        let scene = try JournalScene()
        try scene.file("in/Trips.json", Self.journal([Self.entry]))
        try scene.file("in/photos/900150983cd24fb0d6963f7d28e17f72.png", Self.photo)
        _ = try await scene.bring("in")
        let records = try scene.records()
        // The video came later: an import that was interrupted goes on.
        try scene.file("in/videos/0cc175b9c0f1b6a831c399e269772661.mov", [1, 2, 3])
        let second = try await scene.bring("in")
        #expect(second.unchanged == 1 && second.added == 0 && second.addedMedia == 1 && second.unchangedMedia == 1)
        #expect(try scene.records()[.stories] == records[.stories])
        _ = try await scene.repository.edit("00112233", StoryDraft(content: "mine"))
        _ = try await scene.bring("in")
        #expect(try await scene.repository.detail("00112233").story.content == "mine")
        let newer = Self.entry.adding("modifiedDate", "2030-01-01T00:00:00Z").adding("text", "theirs")
        try scene.file("in/Trips.json", Self.journal([newer]))
        #expect(try await scene.bring("in").updated == 1)
        #expect(try await scene.repository.detail("00112233").story.content == "theirs")
    }

    @Test("entries that lack members come in, and those that cannot be read are named and spoil no other")
    func neighbours() async throws {
        let scene = try JournalScene()
        let entries: [JSONValue] = [
            ["uuid": "A1", "creationDate": "2024-01-01T00:00:00Z"],
            ["creationDate": "2024-01-02T00:00:00Z", "text": "no id"],
            ["uuid": "A3", "text": "no date"], ["uuid": "A4", "creationDate": "soon", "text": "x"],
            ["uuid": "A5", "creationDate": "2024-01-05T00:00:00Z", "text": ["x"]], 7,
            ["uuid": "A7", "creationDate": "2024-01-07T00:00:00Z", "richText": "{\"contents\":[{\"text\":\"rich\"}]}"],
            [
                "uuid": "A8", "creationDate": "2024-01-08T00:00:00Z", "text": "x",
                "photos": [["md5": "ff", "type": "jpeg"]],
            ],
            [
                "uuid": "A9", "creationDate": "2024-01-09T00:00:00Z", "text": "x", "photos": 5, "location": [],
                "tags": "t",
            ],
        ]
        try scene.file("in/Journal.json", Self.journal(entries))
        let report = try await scene.bring("in")
        #expect(report.added == 5 && report.problemCount == 5)
        #expect(Set(report.problems.map(\.item)) == ["A3", "A4", "A5", "Journal, entry 6", "photos/ff.jpeg"])
        #expect(try await scene.repository.detail("A7").story.content == "rich")
        let second = try await scene.bring("in")
        #expect(second.added == 0 && second.unchanged == 5)
        try scene.file("in/Other.json", "{\"entries\": [")
        let third = try await scene.bring("in")
        #expect(third.unchanged == 5 && third.problems.contains { $0.item == "Other.json" })
    }

    @Test("a zip is unpacked where nobody else reads it, and nothing of it stays")
    func zip() async throws {
        let scene = try JournalScene()
        var archive: [UInt8] = []
        let writer = try ZipWriter { archive += $0 }
        let files: [(String, [UInt8])] = [
            ("Trips/Journal.json", Array(Self.journal([Self.entry]).utf8)),
            ("Trips/photos/900150983cd24fb0d6963f7d28e17f72.jpeg", Self.photo),
        ]
        for (name, bytes) in files {
            try writer.begin(ArchiveName(name), size: UInt64(bytes.count), method: .deflated, modified: Date())
            try writer.write(bytes)
        }
        try writer.finish()
        try scene.file("export.zip", archive)
        let report = try await scene.bring("export.zip")
        #expect(report.format == .dayOne && report.added == 1 && report.addedMedia == 1)
        #expect(report.problems.map(\.item) == ["videos/0cc175b9c0f1b6a831c399e269772661"])
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).filter { $0.hasPrefix("import-") }
        }
        #expect(try left() == [])
        try scene.file("cut.zip", archive.dropLast(30))
        await #expect(throws: (any Error).self) { try await scene.bring("cut.zip") }
        try scene.file("text.zip", "nothing of that kind")
        await #expect(throws: JournalError.unknownFormat(path: scene.folder.appending(path: "text.zip").path)) {
            try await scene.bring("text.zip")
        }
        #expect(try left() == [])
    }

    @Test("a story whose category cannot be made is left out alone, and leaves nothing behind")
    func badCategory() async throws {
        let scene = try JournalScene()
        let long = String(repeating: "x", count: 1025)
        try scene.file("notes/a.md", "---\ntags: [good, \"  \"]\n---\none")
        try scene.file("notes/b.md", "---\ntags: [made, \(long)]\n---\ntwo")
        try scene.file("notes/c.md", "---\ntags: [good]\n---\nthree")
        let report = try await scene.bring("notes")
        #expect(report.added == 2 && report.problems.map(\.item) == ["b.md"])
        let (tree, counts) = try await scene.repository.categories()
        #expect(tree.inOrder.map(\.name) == ["good"] && Array(counts.values) == [2])
    }

    @Test("more stories and media than one group holds all come in, and a second time none")
    func manyGroups() async throws {
        let scene = try JournalScene()
        let entries = (0..<2100).map { number -> JSONValue in
            var entry: [String: JSONValue] = [
                "uuid": .string("E\(number)"), "creationDate": "2024-01-01T00:00:00Z", "text": "word",
            ]
            if number < 70 {
                entry["pdfAttachments"] = [["identifier": .string("P\(number)"), "md5": .string("p\(number)")]]
            }
            return .object(entry)
        }
        for number in 0..<70 { try scene.file("in/pdfs/p\(number).pdf", [UInt8(number)]) }
        try scene.file("in/Trips.json", Self.journal(entries))
        let report = try await scene.bring("in")
        #expect(report.added == 2100 && report.addedMedia == 70 && report.problems == [])
        let again = try await scene.bring("in")
        #expect(again.unchanged == 2100 && again.unchangedMedia == 70 && again.addedMedia == 0)
        #expect(try JournalSnapshot(scene.repository).files().files.count == 70)
    }

    // MARK: Joplin

    private static let noteID = "aaaa1111aaaa1111aaaa1111aaaa1111"
    private static let resourceID = "bbbb2222bbbb2222bbbb2222bbbb2222"

    private static func item(_ text: String, _ properties: [String]) -> String {
        (text.isEmpty ? [] : [text, ""]).joined(separator: "\n") + (text.isEmpty ? "" : "\n")
            + properties.joined(separator: "\n")
    }

    /// The files of an export: two notebooks, a note with a picture and a tag, a note that is encrypted, and one without properties.
    private static var joplin: [(String, [UInt8])] {
        let times = ["created_time: 2023-03-04T05:06:07.089Z", "updated_time: 2023-03-05T00:00:00.000Z"]
        let (top, inner, tag) = (
            "cccc3333cccc3333cccc3333cccc3333", "dddd4444dddd4444dddd4444dddd4444", "eeee5555eeee5555eeee5555eeee5555"
        )
        let texts: [(String, String)] = [
            (
                noteID,
                item(
                    "Soup\n\nBoil it: yes\n\n![pot](:/\(resourceID)) and [note](:/\(top))",
                    ["id: \(noteID)", "parent_id: \(inner)"] + times
                        + ["latitude: 47.50000000", "longitude: 8.50000000", "is_todo: 1", "source_url: ", "type_: 1"]
                )
            ),
            (top, item("Food", ["id: \(top)", "parent_id: "] + times + ["type_: 2"])),
            (inner, item("Winter", ["id: \(inner)", "parent_id: \(top)"] + times + ["type_: 2"])),
            (
                resourceID,
                item(
                    "pot.png",
                    ["id: \(resourceID)", "mime: image/png", "file_extension: png"] + times + [
                        "ocr_text: a\\nb\u{0B}c", "type_: 4",
                    ]
                )
            ),
            (tag, item("warm", ["id: \(tag)"] + times + ["type_: 5"])),
            (
                "ffff6666ffff6666ffff6666ffff6666",
                item(
                    "",
                    ["id: ffff6666ffff6666ffff6666ffff6666", "note_id: \(noteID)", "tag_id: \(tag)"] + times + [
                        "type_: 6"
                    ]
                )
            ),
            (
                "99990000999900009999000099990000",
                item(
                    "",
                    ["id: 99990000999900009999000099990000", "encryption_cipher_text: JED01", "encryption_applied: 1"]
                        + times + ["type_: 1"]
                )
            ),
            ("88880000888800008888000088880000", "no properties at all"),
        ]
        return texts.map { ("\($0.0).md", Array($0.1.utf8)) } + [("resources/\(resourceID).png", photo)]
    }

    /// A tar archive in the form of POSIX.
    private static func tar(_ files: [(String, [UInt8])]) -> [UInt8] {
        func octal(_ number: Int, _ width: Int) -> [UInt8] {
            Array((String(repeating: "0", count: width) + String(number, radix: 8)).suffix(width).utf8) + [0]
        }
        return files.flatMap { name, bytes in
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: [UInt8], _ place: Int) { header.replaceSubrange(place..<place + text.count, with: text) }
            put(Array(name.utf8), 0)
            put(octal(0o644, 7), 100)
            put(octal(bytes.count, 11), 124)
            put(octal(0, 11), 136)
            put(Array("        0".utf8), 148)
            put(Array("ustar\0".utf8) + Array("00".utf8), 257)
            put(octal(header.reduce(0) { $0 + Int($1) }, 6), 148)
            return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
        } + [UInt8](repeating: 0, count: 1024)
    }

    @Test("a JEX of Joplin keeps notebooks, tags, resources, times and places, and names what it cannot read")
    func jex() async throws {
        let scene = try JournalScene()
        try scene.file("notes.jex", Self.tar(Self.joplin))
        let report = try await scene.bring("notes.jex")
        #expect(report.format == .joplin && report.added == 1 && report.addedMedia == 1 && report.problemCount == 2)
        #expect(
            Set(report.problems.map(\.item)) == [
                "99990000999900009999000099990000.md", "88880000888800008888000088880000.md",
            ]
        )
        let detail = try await scene.repository.detail("aaaa1111-aaaa-1111-aaaa-1111aaaa1111")
        #expect(detail.story.title == "Soup" && detail.story.createdAt == 1_677_906_367_089)
        let resource = "bbbb2222-bbbb-2222-bbbb-2222bbbb2222"
        #expect(
            detail.story.content
                == "Boil it: yes\n\n![pot](media://\(resource)) and [note](:/cccc3333cccc3333cccc3333cccc3333)"
        )
        #expect(Set(detail.categories.map { detail.tree.path(of: $0) }) == [["Food", "Winter"], ["warm"]])
        #expect(detail.media.map(\.id) == [resource] && detail.media.first?.width == 40)
        #expect(detail.story.place?.latitude == 47.5 && detail.story.extra["joplin"] == ["is_todo": "1"])
        let again = try await scene.bring("notes.jex")
        #expect(again.unchanged == 1 && again.unchangedMedia == 1 && again.added == 0)
    }

    @Test("Joplin's folder form is read, too, and a property keeps its line ends")
    func joplinFolder() async throws {
        let scene = try JournalScene()
        for (name, bytes) in Self.joplin { try scene.file("raw/\(name)", bytes) }
        #expect(try await scene.bring("raw").added == 1)
        let item = try #require(JoplinItem("T\n\nid: a\nuser_data: a\\nb\\\\n\ntype_: 4"))
        #expect(item["user_data"] == "a\nb\\n" && item.title == "T" && item.body == "")
        #expect(JoplinItem("T\n\nbody") == nil && JoplinItem("") == nil)
    }

    // MARK: Markdown

    @Test("a folder of Markdown keeps front matter, folders, tags and files that notes show")
    func markdown() async throws {
        let scene = try JournalScene()
        try scene.file(
            "vault/Trips/Italy/rome.md",
            """
            ---
            title: "Rome: \\"forever\\""
            date: 2022-02-03 04:05
            updated: 2022-02-04T00:00:00+01:00
            tags: [sun, "old, town"]
            mood: happy
            latitude: 41.9
            longitude: 12.5
            ---

            Walls. ![wall](pics/wall%20one.png) [web](https://example.com/a.png) ![[fountain.png|200]]
            """
        )
        try scene.file("vault/Trips/Italy/pics/wall one.png", Self.photo)
        try scene.file("vault/attachments/fountain.png", Self.photo)
        try scene.file("vault/2021/2021-12-24.md", "# Eve\r\n\r\nSnow.")
        try scene.file("vault/.hidden/secret.md", "no")
        try scene.file("vault/broken.md", "---\ndate: whenever\n---\nx")
        try scene.file("vault/binary.md", [0xFF, 0xFE, 0x00])
        let report = try await scene.bring("vault")
        #expect(report.format == .markdown && report.added == 2 && report.addedMedia == 2)
        #expect(Set(report.problems.map(\.item)) == ["broken.md", "binary.md"])
        let stories = try await scene.stories()
        let rome = try #require(stories.first)
        #expect(rome.title == "Rome: \"forever\"" && rome.happenedAt == 1_643_861_100_000 && rome.mood == "happy")
        #expect(rome.updatedAt == 1_643_929_200_000 && rome.place?.longitude == 12.5)
        let content = try #require(rome.content)
        #expect(content.contains("https://example.com/a.png") && !content.contains("pics/") && !content.contains("[["))
        let detail = try await scene.repository.detail(rome.id)
        #expect(
            Set(detail.categories.map { detail.tree.path(of: $0) }) == [["Trips", "Italy"], ["sun"], ["old, town"]]
        )
        #expect(detail.media.count == 2 && detail.media.allSatisfy { content.contains("media://\($0.id)") })
        let eve = try #require(stories.last)
        #expect(eve.title == "Eve" && eve.content == "Snow." && eve.happenedAt == 1_640_347_200_000)
        let again = try await scene.bring("vault")
        #expect(again.unchanged == 2 && again.added == 0 && again.updated == 0)
    }

    @Test("a link never leads out of what is imported")
    func outside() async throws {
        let scene = try JournalScene()
        try scene.file("secret.png", Self.photo)
        try scene.file("vault/note.md", "![](../secret.png) ![](/etc/passwd) ![](file:///etc/passwd)")
        try FileManager.default.createSymbolicLink(
            atPath: scene.folder.appending(path: "vault/linked.png").path,
            withDestinationPath: scene.folder.appending(path: "secret.png").path
        )
        try scene.file("vault/other.md", "![](linked.png)")
        let report = try await scene.bring("vault")
        #expect(report.added == 2 && report.addedMedia == 0)
        #expect(try await scene.stories().contains { $0.content == "![](linked.png)" })
    }

    @Test("what is no journal is refused, and nothing comes in")
    func unknown() async throws {
        let scene = try JournalScene()
        try scene.file("in/data.bin", [1])
        let path = scene.folder.appending(path: "in").path
        await #expect(throws: JournalError.unknownFormat(path: path)) { try await scene.bring("in") }
        await #expect(throws: JournalError.self) { try await scene.bring("nowhere") }
        try scene.file("in/a.json", "{\"entries\": nothing}")
        await #expect(throws: JournalError.unknownFormat(path: "a.json")) { try await scene.bring("in") }
        #expect(try await scene.repository.store.read { try $0.counts() } == JournalCounts())
    }

    @Test(
        "dates of exports",
        arguments: [
            ("2024-05-06T07:08:09Z", 1_714_979_289_000), ("2024-05-06T07:08:09.5Z", 1_714_979_289_500),
            ("2024-05-06T07:08:09+02:00", 1_714_972_089_000), ("2024-05-06 07:08", 1_714_979_280_000),
            ("2024-05-06", 1_714_996_800_000), ("1969-12-31T23:59:59Z", -1000), ("2024-02-30", nil),
            ("2024-13-01", nil),
            ("yesterday", nil), ("", nil), ("2024-05-06T25:00:00Z", nil), ("2024-05-06T07:08:09X", nil),
        ] as [(String, Int64?)]
    )
    func dates(text: String, expected: Int64?) { #expect(ImportDate.milliseconds(text) == expected) }
}
