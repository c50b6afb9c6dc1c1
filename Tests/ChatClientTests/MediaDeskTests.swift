import Accounts
import Chat
import Foundation
import Kernel
import KernelTesting
import Pictures
import Testing
import Transport
import WebClient
import WebClientTesting

@testable import ChatClient

/// Files on their way into a conversation and out of it, in a folder of the test's own.
@Suite(.timeLimit(.minutes(1))) struct MediaDeskTests {
    /// A desk over a folder and a hub of the test's.
    private final class Rig: Sendable {
        let root = FileManager.default.temporaryDirectory.appending(path: "md-\(UUID().uuidString.prefix(8))")
        let clock = ManualClock()
        let work = BlockingWork("test.media", width: 1)
        let disk: MediaDisk
        let attachments: Attachments
        let once: OnceFiles
        let desk: AccountMediaDesk
        let outbox: OutboxFolder
        let cache: MediaCacheService
        let web: ScriptedWebClient
        let chat: ConversationID

        init(_ answer: @escaping @Sendable (WebRequest) throws -> CollectedAnswer) async throws {
            let (ada, bob) = (try #require(UserID(7)), try #require(UserID(9)))
            chat = try #require(ConversationID(ada, bob))
            let hub = try WebURL("https://hub.example")
            web = ScriptedWebClient { try answer($0) }
            disk = MediaDisk(root)
            attachments = try Attachments(in: disk.attachments, work: work, time: clock)
            once = try OnceFiles(in: disk.once, work: work, time: clock)
            let account = ChatAccount(user: ada, hub: hub, name: "ada", nickname: "Ada")
            let media = HubMedia(requests: HubRequests(hub: hub, web: web, tokens: UploadClientTests.OneToken()))
            cache = MediaCacheService(in: disk.caches(of: account), signer: media, fetcher: media, time: clock)
            try await cache.initialize(userID: ada)
            outbox = OutboxFolder(root: disk.outbox(of: account))
            desk = AccountMediaDesk(
                media: media,
                cache: cache,
                outbox: outbox,
                attachments: attachments,
                once: once,
                work: work
            )
        }

        deinit { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody

        /// A file that the person has.
        func file(_ name: String, _ bytes: [UInt8]) throws -> String {
            let url = root.appending(path: name)
            try Data(bytes).write(to: url)
            return url.path
        }

        func message(_ payload: MessagePayload, isMine: Bool = false, _ outgoing: OutgoingMedia? = nil) throws
            -> MessageMedia
        {
            let (ada, bob) = (try #require(UserID(7)), try #require(UserID(9)))
            var data = MessageData(
                clientMessageID: "m-1",
                from: isMine ? ada : bob,
                to: isMine ? bob : ada,
                contentType: payload.contentType,
                element: payload.element
            )
            data.sequence = 1
            guard case .message(let message)? = IMMessageMapper(me: ada).item(data, in: chat) else {
                throw ChatError.unknownMessage
            }
            return MessageMedia(
                conversation: chat,
                message: message,
                payload: payload,
                isSealed: false,
                outgoing: outgoing
            )
        }

    }

    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 600)

    private static func body(_ bytes: [UInt8]) -> HTTPRequestBody {
        let left = LatestValue<[UInt8]?>(bytes)
        return HTTPRequestBody(limit: Attachments.byteLimit) {
            defer { left.set(nil) }
            return left.value
        }
    }

    @Test("a file that was chosen waits in the outbox as it is, for its owner alone, until its message lets go of it")
    func prepared() async throws {
        let rig = try await Rig { _ in CollectedAnswer(status: 404) }
        let path = try rig.file("holiday.jpg", Self.jpeg)
        let media = ChatControl.Media(rig.chat.text, .image, [path])
        let outgoing = try await rig.desk.prepare(media, id: "../../m 1", in: rig.chat)
        #expect(outgoing.kind == .image)
        let source = try #require(outgoing.files.first?.source)
        let kept = try rig.outbox.url(of: source)
        #expect(try Data(contentsOf: kept) == Data(Self.jpeg))
        let permissions = try FileManager.default.attributesOfItem(atPath: kept.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        // While it waits it is shown from there.
        let payload = MessagePayload.image(ImagePayload(objectKey: "chat/image/a.jpg"))
        let shown = try await rig.desk.file(of: rig.message(payload, isMine: true, outgoing), at: 0)
        #expect(shown.path == kept.path && shown.type == "image/jpeg" && shown.size == Self.jpeg.count)
        await rig.desk.release(outgoing, id: "../../m 1", in: rig.chat)
        #expect(!FileManager.default.fileExists(atPath: kept.path))
    }

    @Test("several pictures are one message, a recording has its own length, and heights stay within theirs")
    func kinds() async throws {
        let rig = try await Rig { _ in CollectedAnswer(status: 404) }
        let (one, two) = (try rig.file("1.jpg", Self.jpeg), try rig.file("2.jpg", Self.jpeg))
        let several = try await rig.desk.prepare(.init(rig.chat.text, .image, [one, two]), id: "m-1", in: rig.chat)
        #expect(several.kind == .images && several.files.count == 2)
        let voice = try rig.file("note.ogg", VoiceFiles.ogg(samples: 48_000 * 5, preSkip: 312))
        let note = ChatControl.Media(
            rig.chat.text,
            .voice,
            [voice],
            seconds: 50,
            waveform: [-5, 50, 900] + [Int](repeating: 1, count: 100)
        )
        let recorded = try await rig.desk.prepare(note, id: "m-2", in: rig.chat)
        let heights = [0, 50, 100] + [Int](repeating: 1, count: 61)
        #expect(recorded.kind == .voice(seconds: 5, waveform: heights))
    }

    @Test("what is missing, no file, too large or of another kind is refused, and nothing of it stays")
    func refused() async throws {
        let rig = try await Rig { _ in CollectedAnswer(status: 404) }
        let chat = rig.chat
        let good = try rig.file("1.jpg", Self.jpeg)
        let svg = try rig.file("2.jpg", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        func prepare(_ kind: ChatControl.Media.Kind, _ files: [String]) async throws {
            _ = try await rig.desk.prepare(.init(chat.text, kind, files), id: "m-1", in: chat)
        }
        await #expect(throws: ChatError.unreadableFile("none.jpg")) { try await prepare(.image, ["/none.jpg"]) }
        await #expect(throws: ChatError.unreadableFile("tmp")) { try await prepare(.image, ["/tmp"]) }
        await #expect(throws: ChatError.unreadableFile("null")) { try await prepare(.flash, ["/dev/null"]) }
        await #expect(throws: ChatError.notAPicture) { try await prepare(.image, [good, svg]) }
        await #expect(throws: ChatError.notARecording) { try await prepare(.voice, [good]) }
        await #expect(throws: ChatError.tooMany("files", limit: 1)) { try await prepare(.flash, [good, good]) }
        await #expect(throws: ChatError.tooMany("files", limit: 9)) {
            try await prepare(.image, [String](repeating: good, count: 10))
        }
        await #expect(throws: ChatError.attachmentGone) { try await prepare(.image, ["1B2C"]) }
        let left = rig.outbox.root.appending(path: chat.text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: left.path) == [])
    }

    @Test("a file that a page handed in is used once, or gone after an hour; only so many wait")
    func attachments() async throws {
        let rig = try await Rig { _ in CollectedAnswer(status: 404) }
        let token = try await rig.attachments.take(Self.body(Self.jpeg))
        let media = ChatControl.Media(rig.chat.text, .flash, [token])
        #expect(try await rig.desk.prepare(media, id: "m-1", in: rig.chat).kind == .flash)
        await #expect(throws: ChatError.attachmentGone) {
            try await rig.desk.prepare(media, id: "m-2", in: rig.chat)
        }
        let late = try await rig.attachments.take(Self.body(Self.jpeg))
        rig.clock.advance(by: .seconds(3600))
        await #expect(throws: ChatError.attachmentGone) { try await rig.attachments.file(of: late) }
        await #expect(throws: ChatError.malformed("file")) { try await rig.attachments.take(Self.body([])) }
        await #expect(throws: ChatError.tooMany("files", limit: 32)) {
            for _ in 0...32 { _ = try await rig.attachments.take(Self.body([1])) }
        }
    }

    @Test("what a peer calls a picture and is none is not handed to a page")
    func lying() async throws {
        let html = Array("<html><script>alert(1)</script></html>".utf8)
        let rig = try await Rig { request in
            if request.method == .get { return CollectedAnswer(status: 200, body: html) }
            let data: JSONValue = ["chat/image/a.jpg": "/media/chat/image/a.jpg?e=99"]
            return CollectedAnswer(status: 200, body: try JSONValue(encoding: IMEnvelope(data)).canonicalBytes)
        }
        let message = try rig.message(.image(ImagePayload(objectKey: "chat/image/a.jpg")))
        await #expect(throws: ChatError.badObjectKey) { try await rig.desk.file(of: message, at: 0) }
        await #expect(throws: ChatError.unknownMessage) { try await rig.desk.file(of: message, at: 1) }
    }

    @Test("C6: a view-once picture is in no cache, and a command's file of it is gone after a minute")
    func once() async throws {
        let rig = try await Rig { request in
            if request.method == .get { return CollectedAnswer(status: 200, body: Self.jpeg) }
            let data: JSONValue = ["url": "/chat/flash/SECRET", "expireAt": 99]
            return CollectedAnswer(status: 200, body: try JSONValue(encoding: IMEnvelope(data)).canonicalBytes)
        }
        let flash = MessagePayload.flashImage(FlashImagePayload(objectKey: ""))
        let message = try rig.message(flash)
        await #expect(throws: ChatError.neverCached) { try await rig.desk.file(of: message, at: 0) }
        await #expect(throws: ChatError.notYours) {
            try await rig.desk.openFlash(rig.message(flash, isMine: true))
        }
        let file = try await rig.desk.openFlash(message)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == Data(Self.jpeg))
        await rig.clock.sleeper(for: OnceFiles.lifetime)
        rig.clock.advance(by: OnceFiles.lifetime)
        while FileManager.default.fileExists(atPath: file.path) { await Task.yield() }
        let other = try await rig.desk.openFlash(message)
        await rig.once.end()
        #expect(!FileManager.default.fileExists(atPath: other.path))
    }
}
