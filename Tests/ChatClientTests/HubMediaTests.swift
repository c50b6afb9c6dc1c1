import Accounts
import Chat
import Foundation
import Kernel
import Testing
import WebClient
import WebClientTesting

@testable import ChatClient

@Suite(.timeLimit(.minutes(1))) struct HubMediaTests {
    private static func media(_ answer: @escaping @Sendable (WebRequest) throws -> CollectedAnswer) throws
        -> (media: HubMedia, web: ScriptedWebClient)
    {
        let web = ScriptedWebClient { try answer($0) }
        let requests = HubRequests(
            hub: try WebURL("https://hub.example"),
            web: web,
            tokens: UploadClientTests.OneToken()
        )
        return (HubMedia(requests: requests), web)
    }

    @Test("an object is fetched from the account's own hub, whatever host its address names, and without the token")
    func own() async throws {
        let (media, web) = try Self.media { _ in CollectedAnswer(status: 200, body: [1, 2]) }
        for address in [
            "https://evil.example/media/chat/image/a.jpg?e=1&s=x", "/media/chat/image/a.jpg?e=1&s=x",
            "http://10.0.0.1:81/media/chat/image/a.jpg?e=1&s=x",
        ] {
            #expect(try await media.fetch(try #require(URL(string: address)), limit: 10) == Data([1, 2]))
        }
        #expect(Set(web.requests.map(\.url.text)) == ["https://hub.example/media/chat/image/a.jpg?e=1&s=x"])
        #expect(web.requests.allSatisfy { $0.fields["Authorization"] == nil })
    }

    @Test(
        "an address of anything but an object is not asked for",
        arguments: ["https://hub.example/account/delete", "file:///etc/passwd", "/media/../account/me", "x:y"]
    )
    func others(address: String) async throws {
        let (media, web) = try Self.media { _ in CollectedAnswer(status: 200) }
        await #expect(throws: ChatError.malformed("url")) {
            try await media.fetch(try #require(URL(string: address)), limit: 10)
        }
        #expect(web.requests.isEmpty)
    }

    @Test("B16: an address that opens nothing any more is refused, so that the object is signed anew")
    func expired() async throws {
        let url = try #require(URL(string: "/media/chat/image/a.jpg?e=1"))
        for (status, error) in [
            (403, ChatError.refused(.noPermission)), (404, .refused(.notFound)), (500, .unreachable),
        ] {
            let (media, _) = try Self.media { _ in CollectedAnswer(status: status) }
            await #expect(throws: error) { try await media.fetch(url, limit: 10) }
        }
        let (moved, web) = try Self.media { _ in CollectedAnswer(status: 302, fields: ["Location": "/elsewhere"]) }
        await #expect(throws: ChatError.redirected) { try await moved.fetch(url, limit: 10) }
        #expect(web.requests.count == 1)
        let (large, _) = try Self.media { _ in CollectedAnswer(status: 200, body: [1, 2, 3]) }
        await #expect(throws: ChatError.tooLong("answer", limit: 2)) { try await large.fetch(url, limit: 2) }
    }

    @Test(
        "a face is the object in its address, of the picture or of its thumbnail; one that leads elsewhere is none",
        arguments: [
            ("https://hub.example/media/chat/image/a.jpg?e=1&s=x", "chat/image/a.jpg"),
            ("https://other.example/thumb/chat/image/a.jpg?e=1", "chat/image/a.jpg"),
            ("/thumb/chat/image/a.jpg", "chat/image/a.jpg"), ("chat/image/a.jpg", "chat/image/a.jpg"),
            ("https://evil.example/track.gif", nil), ("/media/", nil), ("", nil),
        ] as [(String, String?)]
    )
    func faces(avatar: String, key: String?) {
        #expect(HubMedia.faceKey(avatar) == key)
    }

    @Test("addresses are told with the hub's own host, and those of nothing are left out")
    func signed() async throws {
        let (media, _) = try Self.media { _ in
            let data: JSONValue = ["a.jpg": "/media/a.jpg?e=9", "b.jpg": "https://evil.example/steal?e=9"]
            return CollectedAnswer(status: 200, body: try JSONValue(encoding: IMEnvelope(data)).canonicalBytes)
        }
        let urls = try await media.sign(["a.jpg", "b.jpg"])
        #expect(urls.mapValues(\.text) == ["a.jpg": "https://hub.example/media/a.jpg?e=9"])
        #expect(urls["a.jpg"]?.expireAt == 9)
    }

    @Test("4.3: a view-once picture whose transfer breaks is asked for again within its lease, and never opened twice")
    func flash() async throws {
        let flash = OpenFlash(try #require(ConversationID("si_tb_7_tb_9")), clientMessageID: "m-1")
        let (media, web) = try Self.media { request in
            guard request.method == .get else {
                let data: JSONValue = ["url": "/chat/flash/SECRET", "expireAt": 99]
                return CollectedAnswer(status: 200, body: try JSONValue(encoding: IMEnvelope(data)).canonicalBytes)
            }
            throw WebClientError.connectionLost(origin: "https://hub.example:443")
        }
        await #expect(throws: ChatError.unreachable) { try await media.openFlash(flash) }
        #expect(web.requests.map(\.method) == [.post, .get, .get, .get])
        let (gone, _) = try Self.media { _ in
            let envelope = IMEnvelope(IMFailure(.gone, detail: "viewed"))
            return CollectedAnswer(status: 410, body: try JSONValue(encoding: envelope).canonicalBytes)
        }
        await #expect(throws: ChatError.flashGone) { try await gone.openFlash(flash) }
    }
}
