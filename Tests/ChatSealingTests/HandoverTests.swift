import Accounts
import Chat
import Kernel
import Sealing
import Testing

@testable import ChatSealing

@Suite("History that a device hands over", .timeLimit(.minutes(4)))
struct HandoverTests {
    private let people: SealedPeople
    private let key = [UInt8](repeating: 7, count: 32)

    init() throws { people = try SealedPeople() }

    private func offer(
        list: ChainEntry? = nil,
        for bundle: KeyBundle? = nil,
        from sender: Identity? = nil,
        at now: Int64 = SealedPeople.now
    ) throws -> HandoverOffer {
        try HandoverOffer.make(
            [UInt8](0..<16),
            list: list ?? people.adas.newest,
            for: bundle ?? people.ada[1].bundle,
            index: SealedPart(object: "chat/sealed/index", hash: [UInt8](repeating: 3, count: 32), size: 900),
            key: key,
            from: sender ?? people.ada[0].identity,
            at: now
        )
    }

    private func message(
        _ payload: MessagePayload,
        id: String = "m",
        files: [HandoverPage.Message.File] = []
    ) throws -> HandoverPage.Message? {
        HandoverPage.Message(
            in: people.conversation,
            from: try #require(UserID(9)),
            id: id,
            sequence: 5,
            payload,
            files: files
        )
    }

    // MARK: The offer

    @Test("an offer is read as it was made, and opens for the device that it names alone")
    func opens() throws {
        let made = try offer()
        let read = try HandoverOffer(JSONValue(parsing: made.json.canonicalBytes))
        #expect(read == made)
        try read.check(in: people.adas, at: SealedPeople.now)
        #expect(try read.open(with: [people.ada[1].key]) == key)
        for other in [people.ada[0], people.bob[0], people.mallory] {
            #expect(throws: ChatSealingError.otherDevice) { try read.open(with: [other.key]) }
        }
    }

    @Test("an offer with any changed member is not believed, and one member more or less is none")
    func changed() throws {
        let members = try #require(try offer().json.objectValue)
        for (name, value) in members {
            var changed = members
            switch value {
            case .integer(let number): changed[name] = .integer(number + 1)
            case .string(let text):
                // Another first letter, which is one of base64url and of a key, too.
                changed[name] = .string((text.first == "B" ? "C" : "B") + text.dropFirst())
            default: Issue.record("\(name)")
            }
            #expect(throws: ChatSealingError.self, "\(name)") { try HandoverOffer(.object(changed)) }
            changed = members
            changed[name] = nil
            #expect(throws: ChatSealingError.self, "\(name)") { try HandoverOffer(.object(changed)) }
        }
        #expect(throws: ChatSealingError.malformed("offer")) {
            try HandoverOffer(.object(members.merging(["more": 1]) { $1 }))
        }
    }

    @Test("an offer holds between two devices of the newest list, for seven days, and is made for no others")
    func lists() throws {
        let made = try offer()
        let day: Int64 = 86_400_000
        try made.check(in: people.adas, at: SealedPeople.now + 7 * day)
        #expect(throws: ChatSealingError.keyNotInUse) {
            try made.check(in: people.adas, at: SealedPeople.now + 7 * day + 1)
        }
        #expect(throws: ChatSealingError.keyNotInUse) {
            try made.check(in: people.adas, at: SealedPeople.now - day - 1)
        }
        #expect(throws: ChatSealingError.unknownList) { try made.check(in: people.bobs, at: SealedPeople.now) }
        for lost in people.ada {
            let kept = lost.identity.did == people.ada[0].identity.did ? people.ada[1] : people.ada[0]
            let without = try people.adas.removing(lost.identity.did, by: kept.identity)
            #expect(throws: ChatSealingError.notListed) { try made.check(in: without, at: SealedPeople.now) }
        }
        // The list of before had one device.
        #expect(throws: ChatSealingError.notListed) { try offer(list: people.adas.start) }
        #expect(throws: ChatSealingError.notListed) { try offer(for: people.mallory.bundle) }
        #expect(throws: ChatSealingError.notListed) { try offer(from: people.mallory.identity) }
        #expect(throws: ChatSealingError.keyNotInUse) { try offer(at: SealedPeople.now + 11 * day) }
    }

    // MARK: Pages

    @Test("a page is read as it was made, with its files")
    func page() throws {
        let object = try SealedObject(key: key, hash: key, size: 70_000, type: "image/jpeg")
        let picture = MessagePayload.image(ImagePayload(objectKey: "chat/sealed/a"))
        let messages = [
            try message(.text("hello")),
            try message(picture, id: "p", files: [.init(name: "chat/sealed/a", object: object)]),
        ].compactMap(\.self)
        let page = try #require(HandoverPage(packing: messages))
        #expect(page.messages == messages && messages.count == 2)
        #expect(try HandoverPage(JSONValue(parsing: page.json.canonicalBytes)) == page)
    }

    @Test("view-once pictures, control messages and what is still sealed are in no page, whoever wrote it")
    func leftOut() throws {
        let flash = MessagePayload.flashImage(FlashImagePayload(objectKey: "chat/flash/sealed/a"))
        for payload in [flash, .sealed(["type": "sealed"])] { #expect(try message(payload) == nil) }
        let page = try #require(HandoverPage(packing: [try message(.text("x"))].compactMap(\.self)))
        var members = try #require(page.json["messages"]?.arrayValue?.first?.objectValue)
        members["contentType"] = 110
        members["content"] = flash.element
        #expect(throws: ChatSealingError.malformed("content")) {
            try HandoverPage(["v": 1, "messages": [.object(members)]])
        }
    }

    @Test("a page holds at most 200 messages and one mebibyte")
    func bounds() throws {
        let small = try (0..<250).compactMap { try message(.text("\($0)"), id: "m\($0)") }
        #expect(try #require(HandoverPage(packing: small)).messages == Array(small.prefix(200)))
        let words = String(repeating: "a", count: 15_000)
        let large = try (0..<100).compactMap { try message(.text(words), id: "m\($0)") }
        let page = try #require(HandoverPage(packing: large))
        #expect(page.messages.count == 69)
        #expect(page.json.canonicalBytes.count <= HandoverPage.byteLimit)
        let one = try #require(small.first?.json)
        #expect(throws: ChatSealingError.tooLarge("messages", limit: 200)) {
            try HandoverPage(["v": 1, "messages": .array([JSONValue](repeating: one, count: 201))])
        }
    }

    // MARK: The index

    private func listed(_ number: Int, size: Int = 1 << 20, count: Int = 200) -> HandoverIndex.Page {
        HandoverIndex.Page(SealedPart(object: "chat/sealed/\(number)", hash: key, size: size), key: key, count: count)
    }

    @Test("an index is read as it was made, and its sums are what its pages say")
    func index() throws {
        let index = HandoverIndex([listed(1), listed(2, size: 900, count: 3)], isCut: true)
        #expect(index.messages == 203)
        #expect(try HandoverIndex(JSONValue(parsing: index.json.canonicalBytes)) == index)
        var members = try #require(index.json.objectValue)
        members["messages"] = 204
        #expect(throws: ChatSealingError.malformed("messages")) { try HandoverIndex(.object(members)) }
    }

    @Test("an index of too many bytes, messages or pages, or that names an object twice, is refused")
    func indexBounds() throws {
        func read(_ pages: [HandoverIndex.Page]) throws {
            _ = try HandoverIndex(HandoverIndex(pages, isCut: false).json)
        }
        try read((0..<256).map { listed($0) })
        #expect(throws: ChatSealingError.tooLarge("pages", limit: 256 << 20)) { try read((0..<257).map { listed($0) }) }
        #expect(throws: ChatSealingError.tooLarge("messages", limit: 100_000)) {
            try read((0..<501).map { listed($0, size: 1000) })
        }
        #expect(throws: ChatSealingError.tooLarge("pages", limit: 1024)) {
            try read((0..<1025).map { listed($0, size: 1000, count: 1) })
        }
        #expect(throws: ChatSealingError.malformed("pages")) { try read([listed(1), listed(1)]) }
        #expect(throws: ChatSealingError.malformed("pages")) { try read([]) }
        #expect(throws: ChatSealingError.malformed("size")) { try read([listed(1, size: (1 << 20) + 1)]) }
    }
}
