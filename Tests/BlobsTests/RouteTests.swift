import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing
import Transport

@testable import Blobs

@Suite("The HTTP of blobs", .timeLimit(.minutes(2)))
final class RouteTests {
    private let scene: BlobScene
    private let store: BlobStore
    private let signer: AddressSigner
    private let routes: [HTTPRoute]
    private let photo = Samples.jpeg()

    init() throws {
        scene = try BlobScene()
        store = try scene.store()
        signer = AddressSigner(
            try AddressKeys(scene.folder.appending(path: "keys"), time: scene.clock),
            time: scene.clock
        )
        routes = try BlobRoutes(
            store,
            paths: BlobRoutes.Paths(uploads: "/chat/uploads", upload: "/chat/upload", media: "/media"),
            signer: signer
        ) { $0.header("Person") }.routes()
    }

    /// - Parameter pieces: The body. Errors of the connection are thrown behind them.
    private func send(
        _ method: HTTPRoute.Method,
        _ target: String,
        person: String? = "7",
        _ fields: [String: String] = [:],
        pieces: [[UInt8]] = [],
        breaks: Bool = false
    ) async throws -> HTTPRouteResponse {
        let path = target.split(separator: "?").first ?? ""
        let found = routes.lazy.filter { $0.method == method }.compactMap { route in
            route.path.parameters(of: path).map { (route, $0) }
        }.first
        let (route, parameters) = try #require(found)
        let all = fields.merging(person.map { ["Person": $0] } ?? [:]) { $1 }
        let request = RouteRequest(
            method: method.rawValue,
            target: target,
            parameters: parameters,
            host: "h",
            clientAddress: nil,
            fields: all.map { (name: $0.key, value: $0.value) }
        )
        let rest = Mutex(pieces[...])
        let body = HTTPRequestBody(limit: route.maximumBodyBytes) {
            if let piece = rest.withLock({ $0.popFirst() }) { return piece }
            if breaks { throw ConnectionLost() }
            return nil
        }
        return try await route.handler(request, body)
    }

    private func json(_ response: HTTPRouteResponse) async throws -> JSONValue {
        try JSONValue(parsing: try await response.bytes())
    }

    @Test("an upload is created, sent in parts, asked for, completed and read by its address")
    func walk() async throws {
        let created = try await send(.post, "/chat/uploads?type=chat_image", ["Upload-Length": "400"])
        #expect(created.status == 201 && created["Upload-Offset"] == "0" && created["Upload-Length"] == "400")
        let id = try #require(try await json(created)["uploadID"]?.stringValue)
        #expect(created["Location"] == "/chat/uploads/\(id)")
        let path = "/chat/uploads/\(id)"

        let part = try await send(.patch, path, ["Upload-Offset": "0"], pieces: [Array(photo[..<100])])
        #expect(part.status == 204 && part["Upload-Offset"] == "100")
        let wrong = try await send(.patch, path, ["Upload-Offset": "0"], pieces: [photo])
        #expect(wrong.status == 409 && wrong["Upload-Offset"] == "100")
        #expect(try await json(wrong)["error"]?["reason"]?.stringValue == "wrongOffset")
        await #expect(throws: ConnectionLost.self) {
            try await self.send(
                .patch,
                path,
                ["Upload-Offset": "100"],
                pieces: [Array(self.photo[100..<250])],
                breaks: true
            )
        }
        let early = try await send(.post, path)
        #expect(early.status == 409)
        let head = try await send(.head, path)
        #expect(head.status == 200 && head["Upload-Offset"] == "250" && head["Cache-Control"] == "no-store")
        #expect(try await json(send(.get, path))["offset"]?.integerValue == 250)
        #expect(try await send(.patch, path, ["Upload-Offset": "250"], pieces: [Array(photo[250...])]).status == 204)

        let done = try await send(.post, path)
        #expect(done.status == 200)
        let value = try await json(done)
        let key = try #require(value["objectKey"]?.stringValue.flatMap { BlobKey($0) })
        #expect(value["contentType"] == "image/jpeg" && value["width"] == 640 && value["height"] == 480)
        #expect(try await json(send(.post, path)) == value)
        #expect(try await json(send(.get, path))["objectKey"] == value["objectKey"])

        let target = try signer.address(of: key, for: "7").target(at: "/media")
        let media = try await send(.get, target, person: nil, ["Range": "bytes=0-2"])
        #expect(media.status == 206)
        #expect(try await media.bytes() == [0xFF, 0xD8, 0xFF])
        #expect(try await send(.head, target, person: nil).length == 400)
    }

    @Test("a stranger and another person learn nothing of an upload")
    func askers() async throws {
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        let path = "/chat/uploads/\(upload.id)"
        for (method, target) in [
            (.post, "/chat/uploads?type=chat_image&size=5"), (.get, path), (.head, path), (.patch, path + "?offset=0"),
            (.post, path), (.delete, path), (.post, "/chat/upload?type=chat_image"),
        ] as [(HTTPRoute.Method, String)] {
            #expect(try await send(method, target, person: nil).status == 401)
            if target.hasPrefix(path) { #expect(try await send(method, target, person: "8").status == 404) }
        }
        #expect(try await send(.delete, path).status == 200)
        #expect(try scene.rowCount() == 0)
    }

    @Test("requests that cannot be read say what is wrong")
    func malformed() async throws {
        let upload = try await store.beginUpload("sealed", size: 4, of: "7")
        let path = "/chat/uploads/\(upload.id)"
        for (method, target, status) in [
            (.post, "/chat/uploads?type=chat_image", 400), (.post, "/chat/uploads?size=5", 400),
            (.post, "/chat/uploads?type=chat_image&size=-5", 400), (.post, "/chat/uploads?type=chat_image&size=", 400),
            (.post, "/chat/uploads?type=chat_image&size=99999999999999999999", 400),
            (.post, "/chat/uploads?type=chat_image&size=0", 400), (.post, "/chat/uploads?type=nothing&size=5", 400),
            (.post, "/chat/uploads?type=chat_image&size=99999999", 413), (.patch, path, 400),
            (.patch, path + "?offset=x", 400),
            (.patch, path + "?offset=5", 409), (.post, path + "?sha256=00", 400), (.post, path, 409),
            (.get, "/chat/uploads/x", 404), (.post, "/chat/upload", 400),
            (.post, "/chat/upload?type=chat_image", 400),
        ] as [(HTTPRoute.Method, String, Int)] {
            #expect(try await send(method, target).status == status, "\(method) \(target)")
        }
    }

    @Test("a file in one request is the body, or the file of a form with its kind before it")
    func wholeUploads() async throws {
        let raw = try await send(.post, "/chat/upload?type=chat_image", ["Content-Length": "400"], pieces: [photo])
        #expect(raw.status == 200)
        #expect(try await json(raw)["size"] == 400)
        let field = "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nchat_image\r\n"
        let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../etc/passwd.svg\"\r\n\r\n"
        let form = ["Content-Type": "multipart/form-data; boundary=b"]
        let end = Array("\r\n--b--\r\n".utf8)
        for (target, start) in [("/chat/upload", field + head), ("/chat/upload?type=chat_image", head)] {
            let body = Array(start.utf8) + photo + end
            let answer = try await send(
                .post,
                target,
                form,
                pieces: [Array(body[..<30]), Array(body[30..<300]), Array(body[300...])]
            )
            #expect(answer.status == 200)
            let key = try #require(try await json(answer)["objectKey"]?.stringValue.flatMap { BlobKey($0) })
            #expect(try await store.bytes(key) == photo)
        }
        // Without a kind, without a file, and cut.
        let count = try scene.rowCount()
        #expect(try await send(.post, "/chat/upload", form, pieces: [Array(head.utf8) + photo + end]).status == 400)
        #expect(try await send(.post, "/chat/upload", form, pieces: [Array(field.utf8) + end]).status == 400)
        #expect(try await send(.post, "/chat/upload", form, pieces: [Array((field + head).utf8) + photo]).status == 400)
        let svg = Array((field + head + "<svg/>").utf8) + end
        #expect(try await send(.post, "/chat/upload", form, pieces: [svg]).status == 415)
        #expect(try scene.rowCount() == count && scene.files().filter { $0.hasPrefix("parts/") }.isEmpty)
    }

    @Test("a body that is longer than any kind takes is the server's to refuse, and leaves nothing")
    func tooLong() async throws {
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        #expect(try await send(.post, "/chat/upload?type=chat_audio", pieces: [piece]).status == 413)
        let upload = try await store.beginUpload("sealed", size: 1 << 20, of: "7")
        await #expect(throws: RouteError.bodyTooLarge(limit: 1 << 20)) {
            try await self.send(.patch, "/chat/uploads/\(upload.id)", ["Upload-Offset": "0"], pieces: [piece, [1]])
        }
        // What came before is kept.
        #expect(try await store.upload(upload.id, of: "7").offset == 1 << 20)
        try await store.cancelUpload(upload.id, of: "7")
        #expect(try scene.rowCount() == 0)
    }

    @Test("4.4: 403 for an address that is forged or expired, 404 only for those who were given it")
    func media() async throws {
        let object = try await scene.kept()
        let target = try signer.address(of: object.key, for: "7").target(at: "/media")
        #expect(try await send(.get, "/media/\(object.key)").status == 403)
        #expect(try await send(.get, target + "A").status == 403)
        let gone = BlobKey.make(in: "chat/image", at: scene.clock.date, fileExtension: "jpg")
        #expect(try await send(.get, "/media/\(gone)").status == 403)
        let other = try await send(.get, signer.address(of: gone, for: "7").target(at: "/media"))
        #expect(other.status == 404)
        scene.clock.advance(by: .seconds(13 * 3600))
        let expired = try await send(.get, target)
        #expect(expired.status == 403)
        #expect(try await json(expired)["error"]?["reason"]?.stringValue == "addressExpired")
    }

    @Test("4.3: what is read once is served by no address")
    func readOnce() async throws {
        let object = try await scene.kept(kind: "chat_flash")
        let target = try signer.address(of: object.key, for: "7").target(at: "/media")
        #expect(try await send(.get, target).status == 404)
    }

    @Test("a feature gives answers and refusals the form of its own")
    func ownForm() async throws {
        let answers = BlobAnswers { value, status in
            HTTPRouteResponse(
                status: status,
                body: .bytes(JSONValue.object(["errCode": 0, "data": value]).canonicalBytes)
            )
        } refusal: { error in
            HTTPRouteResponse(status: 200, body: .bytes(Array("\(error.status)".utf8)))
        }
        let route = try #require(
            try BlobRoutes(store, paths: BlobRoutes.Paths(upload: "/u"), answers: answers) { _ in "7" }.routes().first
        )
        let request = RouteRequest(method: "POST", target: "/u?type=chat_image", host: "h", clientAddress: nil)
        let pieces = Mutex([photo][...])
        let taken = try await route.handler(request, HTTPRequestBody(limit: 1000) { pieces.withLock { $0.popFirst() } })
        #expect(try await json(taken)["data"]?["contentType"] == "image/jpeg")
        let refused = try await route.handler(request, HTTPRequestBody(limit: 1000) { nil })
        #expect(refused.status == 200)
        #expect(try await refused.bytes() == Array("400".utf8))
    }
}
