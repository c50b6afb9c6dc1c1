import Accounts
import Chat
import Foundation
import Kernel
import Sealing
import Testing

@testable import ChatSealing

/// What is computed here is what another implementation computed (`Tests/Page/sealed_message.py`, written from the document alone).
@Suite("The vectors of sealed conversations", .timeLimit(.minutes(4)))
struct VectorTests {
    private let vectors: SealingVectors

    init() throws { vectors = try SealingVectors() }

    @Test("the chains have the documented hashes", arguments: ["ada", "bob", "bobRestarted"])
    func chains(name: String) throws {
        let hashes = try #require(try vectors.value("chains", name, "hashes").arrayValue).map(\.stringValue)
        #expect(try vectors.chain(name).entries.map { Hexadecimal.encode($0.hash) } == hashes)
        let entries = try #require(try vectors.value("chains", name, "entries").arrayValue)
        #expect(try vectors.chain(name).entries.map(\.json) == entries)
    }

    @Test("the same devices make the same chain")
    func madeChain() throws {
        let vector = try vectors.chain("ada")
        let (phone, laptop) = (vector.start.devices[0], vector.newest.devices[1])
        let made = try AccountChain.first(
            of: vector.user,
            by: vectors.identity("adaPhone"),
            named: phone.name,
            at: phone.since
        ).adding(laptop, by: vectors.identity("adaPhone"))
        #expect(made.entries.map(\.hash) == vector.entries.map(\.hash))
        #expect(made.entries.map(\.json) == vector.entries.map(\.json))
    }

    @Test("the same key makes the same bundle", arguments: ["adaPhone", "adaLaptop", "bobPhone", "bobLaptop"])
    func bundles(device: String) throws {
        let made = try vectors.key(device).bundle(signedBy: vectors.identity(device))
        #expect(try made.json == vectors.value("keys", device, "bundle"))
    }

    private func binding() throws -> MessageBinding {
        try MessageBinding(
            #require(ConversationID(vectors.text("message", "conversation"))),
            clientMessageID: vectors.text("message", "clientMsgID"),
            senders: #require(vectors.chain("ada").entry(1)),
            receivers: #require(vectors.chain("bob").entry(1))
        )
    }

    @Test("what a message is bound to has the documented bytes")
    func additionalData() throws {
        #expect(try binding().data(from: vectors.identity("adaPhone").did) == vectors.hex("message", "aad"))
    }

    @Test("each device that is meant opens the message", arguments: ["adaLaptop", "bobPhone", "bobLaptop"])
    func opened(device: String) throws {
        let message = try SealedMessage(vectors.value("message", "envelope"))
        let content = try message.open(with: [vectors.key(device)], bound: binding())
        #expect(content.payload == .text("Grüße, Bob"))
        #expect(content.count == 1)
        #expect(try content.bytes == vectors.hex("message", "inner"))
    }

    @Test("the same key and the same wrapped keys make the same envelope")
    func sealedAgain() throws {
        let message = try SealedMessage(vectors.value("message", "envelope"))
        let again = try SealedMessage.seal(
            SealedContent(.text("Grüße, Bob"), count: 1),
            bound: binding(),
            for: ["adaLaptop", "bobPhone", "bobLaptop"].map { try vectors.bundle($0) },
            from: vectors.identity("adaPhone"),
            key: vectors.hex("message", "key")
        ) { _, bundle, _ in try #require(message.to.first { $0.id == bundle.id }) }
        #expect(try again.json == vectors.value("message", "envelope"))
    }

    @Test("media have the documented bytes")
    func media() throws {
        let file = (0..<70_000).map { UInt8($0 * 7 % 251) }
        let (key, prefix) = (try vectors.hex("media", "key"), try vectors.hex("media", "prefix"))
        let sealed = try SealedMedia.seal(file, key: key, prefix: prefix)
        #expect(try Array(sealed.bytes.prefix(64)) == vectors.hex("media", "header"))
        #expect(try sealed.hash == vectors.hex("media", "sha256"))
        #expect(try SealedMedia.seal([], key: key, prefix: prefix).bytes == vectors.hex("media", "empty"))
    }

    @Test("the safety numbers are the documented ones, also after a restart")
    func numbers() throws {
        let (ada, bob) = (
            SafetyNumber.Account(try vectors.chain("ada")), SafetyNumber.Account(try vectors.chain("bob"))
        )
        let again = SafetyNumber.Account(try vectors.chain("bobRestarted"))
        for (name, number) in [("first", SafetyNumber(ada, bob)), ("restarted", SafetyNumber(again, ada))] {
            let groups = try #require(try vectors.value("numbers", name, "groups").arrayValue).map(\.stringValue)
            #expect(number.groups == groups)
            #expect(try number.code == vectors.text("numbers", name, "code"))
        }
        #expect(SafetyNumber(ada, bob) == SafetyNumber(bob, ada))
    }

    @Test("the example in the protocol's document is the vector")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
            .filter { $0 != " " && $0 != "\n" }
        for name in ["body", "sig", "from"] {
            #expect(page.contains(try vectors.text("message", "envelope", name)))
        }
        for hash in try vectors.chain("ada").entries.map(\.hash) { #expect(page.contains(Hexadecimal.encode(hash))) }
        #expect(page.contains(Hexadecimal.encode(try vectors.hex("message", "aad"))))
        #expect(page.contains(Hexadecimal.encode(try vectors.hex("message", "digest"))))
        #expect(page.contains(try vectors.text("media", "sha256")))
        #expect(page.contains(try vectors.text("numbers", "first", "code")))
        #expect(page.contains(try vectors.text("keys", "bobPhone", "bundle", "sig")))
    }
}
