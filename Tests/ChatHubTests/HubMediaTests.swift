import Accounts
import AccountsHub
import Blobs
import Capabilities
import Chat
import Foundation
import HomeTesting
import Kernel
import Pictures
import Synchronization
import TandemHub
import Testing

@testable import ChatHub

/// What a hub does with pictures beside keeping them, over its sockets.
@Suite("Pictures at a hub", .timeLimit(.minutes(4)))
struct HubMediaTests {
    /// A program that reads pictures: it answers when it is let.
    private final class TestEncoder: PhotoEncoder {
        static let hash = "L6PZfSi_.AyE_3t7t7R**0o#DgR4"

        private let error: PictureError?
        private let gate = LatestValue(false)
        private let asked = Mutex(0)

        init(isOpen: Bool = true, error: PictureError? = nil) {
            self.error = error
            if isOpen { gate.update { $0 = true } }
        }

        var count: Int { asked.withLock(\.self) }

        func open() { gate.update { $0 = true } }

        func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
            throw PictureError.notAPicture
        }

        func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
            asked.withLock { $0 += 1 }
            for await isOpen in gate.values() where isOpen { break }
            if let error { throw error }
            #expect(longEdge == 320 && pixelLimit == 50_000_000)
            let small = EncodedPicture(
                bytes: [0xFF, 0xD8, 0xFF] + picture.suffix(4),
                format: .jpeg,
                dimensions: PictureDimensions(width: 3, height: 2)
            )
            return PictureThumbnail(picture: small, blurHash: Self.hash)
        }
    }

    private static let address = "https://hub.example.org"

    private static func maker(_ encoder: (any PhotoEncoder)?) -> ServedFeatureMaker {
        ChatHubFeature.maker { _, _ in ChatHubFeature.Services(pictures: encoder) }
    }

    private static func upload(_ bytes: [UInt8], by person: HubPerson) async throws -> String {
        let reply = try await person.upload(bytes, as: .image)
        return try #require(reply.data["objectKey"]?.stringValue)
    }

    /// The members of the one picture that `person` has with `other`.
    private static func picture(of person: HubPerson, with other: HubPerson) async throws -> ImagePayload {
        guard case .image(let image)? = try await person.history(with: other).first?.payload else {
            throw ChatError.malformed("image")
        }
        return image
    }

    private static func path(_ address: String) -> String {
        address.hasPrefix(Self.address) ? String(address.dropFirst(Self.address.count)) : address
    }

    @Test(
        "B16: a picture is read with an address and its true end, and with a thumbnail and a BlurHash once they are made"
    )
    func thumbnail() async throws {
        let encoder = TestEncoder(isOpen: false)
        try await Home.run(chat: Self.maker(encoder), ["chatAddress": .string(Self.address)]) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let photo = HubChatTests.picture(ending: 3000)
            let key = try await Self.upload(photo, by: ada)
            let socket = try await bob.socket()
            try await ada.send(.image(ImagePayload(objectKey: key)), to: bob, id: "p-1")
            // It is pushed although nothing is made yet.
            let pushed = try #require(try await socket.message())
            guard case .image(let early) = pushed.payload else { throw ChatError.malformed("image") }
            #expect(early.others["blurHash"] == nil)
            let address = try #require(early.url)
            #expect(address.hasPrefix(Self.address + "/media/chat/image/"))
            #expect(early.expireAt == SignedURL(address)?.expireAt)
            #expect(try await bob.get(Self.path(address), isKnown: false).bytes == photo)
            encoder.open()
            var image = early
            while image.others["blurHash"] == nil, !Task.isCancelled {
                image = try await Self.picture(of: bob, with: ada)
            }
            #expect(image.others["blurHash"] == .string(TestEncoder.hash))
            let small = Self.path(try #require(image.others["thumbUrl"]?.stringValue))
            let shown = try await bob.get(small, isKnown: false)
            #expect(shown.status == 200 && shown.bytes == [0xFF, 0xD8, 0xFF] + photo.suffix(4))
            #expect(shown.fields["Content-Type"] == "image/jpeg" && shown.fields["X-Content-Type-Options"] == "nosniff")
            #expect(try await bob.get(small + "0", isKnown: false).status == 403)
            // What was sent is the same message still.
            #expect(try await ada.send(.image(ImagePayload(objectKey: key)), to: bob, id: "p-1").sequence == 1)
            _ = try await ada.ask(ChatEndpoints.revoke, RevokeMessage(try ada.with(bob), clientMessageID: "p-1"))
            #expect(try await bob.get(small, isKnown: false).status == 404)
        }
    }

    @Test("a hub without the program that reads pictures, and a picture that it cannot read, work without thumbnails")
    func without() async throws {
        for encoder in [nil, TestEncoder(error: .damaged(reason: "test"))] {
            try await Home.run(chat: Self.maker(encoder)) { hub in
                let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
                let key = try await Self.upload(HubChatTests.picture(ending: 100), by: ada)
                try await ada.send(.image(ImagePayload(objectKey: key)), to: bob)
                // Without an address of the hub there is no whole address in a message.
                let image = try await Self.picture(of: bob, with: ada)
                #expect(image.url == nil && image.others.isEmpty)
                #expect(try await bob.ask(ChatEndpoints.sign, SignURLs([key])).urls[key] != nil)
                while let encoder, encoder.count == 0, !Task.isCancelled { await Task.yield() }
            }
        }
    }

    @Test(
        "an avatar is a picture of one's own: it stays while the account names it, and everybody with a session sees it"
    )
    func avatar() async throws {
        try await Home.run(chat: Self.maker(nil)) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let photo = HubChatTests.picture(ending: 500)
            let key = try await Self.upload(photo, by: ada)
            let stolen = try await bob.post(AccountEndpoint.profile.path, ["avatar": .string(key)])
            #expect(stolen.code == .badArguments)
            let flash = try await ada.upload(photo, as: .flash).data["objectKey"]
            let once = try await ada.post(AccountEndpoint.profile.path, ["avatar": flash ?? ""])
            #expect(once.code == .badArguments)
            #expect(try await bob.ask(ChatEndpoints.sign, SignURLs([key])).urls.isEmpty)
            #expect(try await ada.post(AccountEndpoint.profile.path, ["avatar": .string(key)]).status == 200)
            let face = try await bob.ask(ChatEndpoints.profiles, ProfilesRequest([ada.id])).profiles.first?.avatar ?? ""
            #expect(try await bob.get(face, isKnown: false).bytes == photo)
            #expect(try await bob.ask(ChatEndpoints.sign, SignURLs([key])).urls[key] != nil)
            let found = try await bob.post(AccountEndpoint.find.path, ["name": "ada"])
            #expect(found.data["avatar"] == .string(key))
            #expect(try await ada.post(AccountEndpoint.profile.path, ["avatar": ""]).status == 200)
            #expect(try await bob.get(face, isKnown: false).status == 404)
            let none = try await bob.ask(ChatEndpoints.profiles, ProfilesRequest([ada.id])).profiles.first
            #expect(none?.avatar == "")
        }
    }

    @Test("lying types, bombs, scripts and tricks in keys are refused in the envelope, and nothing of them is kept")
    func hostile() async throws {
        try await Home.run(chat: Self.maker(nil)) { hub in
            let ada = try await HubPerson.make("ada", at: hub)
            // 60,000 x 60,000 pixels in a few bytes.
            var bomb = HubChatTests.picture(ending: 100)
            bomb.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
            let cases: [(bytes: [UInt8], kind: UploadKind, status: Int)] = [
                (bomb, .image, 413), (bomb, .flash, 413), (Array("<svg onload='alert(1)'/>".utf8), .image, 415),
                (Array("<html><script>1</script>".utf8), .image, 415), (HubChatTests.picture(ending: 9), .voice, 415),
                (Array("OggS".utf8) + [UInt8](repeating: 0, count: 300), .image, 415), ([], .image, 400),
            ]
            for (bytes, kind, status) in cases {
                let reply = try await ada.upload(bytes, as: kind)
                #expect(reply.status == status && reply.code == .badArguments, "\(kind) \(bytes.prefix(8))")
            }
            let tricks = [
                "../../etc/passwd", "chat/image/../../keys/access-tokens", "chat/image/2026/01/01/..%2f..",
                "chat/flash/2026/01/01/aaaaaaaaaaaaaaaaaaaaaaaaaa.png", "/etc/passwd", "chat\\image",
            ]
            for key in tricks {
                let asked = try await ada.post("/chat/media/sign", ["object_keys": [.string(key)]])
                #expect(asked.status == 400 || asked.data == [:], "\(key)")
                let path = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let status = try await ada.get("/object/\(path)").status
                #expect([400, 403, 404].contains(status), "\(key)")
            }
        }
    }
}
