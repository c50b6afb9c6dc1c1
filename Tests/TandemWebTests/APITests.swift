import Control
import Foundation
import Kernel
import Logging
import QRCodes
import Testing
import Transport

@testable import TandemWeb

@Suite("What the page asks", .timeLimit(.minutes(2)))
struct APITests {
    @Test("it learns whose page it is, and what can be asked")
    func hello() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let hello = try await browser.ask("GET", "/api/hello").json
            #expect(
                hello == [
                    "role": "desktop", "version": "1", "name": "Desk", "id": "did:key:z6Mk",
                    "fingerprint": "four words", "platform": "linux", "scan": false, "assets": ["terminal": false],
                ]
            )
            let methods = try await browser.ask("GET", "/api/methods").json["methods"]?.arrayValue ?? []
            #expect(methods.contains { $0["name"] == "echo" && $0["summary"] == "Says the same." })
            #expect(methods.contains { $0["name"] == "page.link" })
        }
    }

    @Test("a method's answer is the command line's")
    func call() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let answer = try await browser.call("echo", ["text": "héllo"])
            #expect(answer.status == 200)
            #expect(answer.json == ["result": ["text": "héllo"]])
            #expect(answer.fields["content-type"] == "application/json; charset=utf-8")
        }
    }

    @Test(
        "each kind of failure has its code, its status and its sentence",
        arguments: [
            ("signed-out", 401), ("gone", 503), ("offline", 503), ("away", 503), ("not-allowed", 403), ("refused", 409),
            ("expired", 410), ("bad-request", 400), ("unknown-method", 404), ("too-large", 413), ("full", 507),
            ("not-found", 404), ("exists", 409), ("cancelled", 409), ("internal", 500),
        ]
    )
    func failures(code: String, status: Int) async throws {
        try await PageScene.run { scene in
            let answer = try await scene.browser().call("fail", ["text": .string(code)])
            #expect(answer.status == status)
            #expect(answer.json["error"] == ["code": .string(code), "message": "It fails on purpose."])
        }
    }

    @Test("an error that names its case is told with that name and its values, called or followed")
    func named() async throws {
        try await PageScene.run { scene in
            let expected: JSONValue = [
                "code": "expired", "message": "It is too old.", "reason": "tooOld", "values": ["ageSeconds": 512],
            ]
            let browser = try await scene.browser()
            let answer = try await browser.call("fail", ["text": "too-old"])
            #expect(answer.status == 410)
            #expect(answer.json["error"] == expected)
            let socket = try await browser.socket("/api/events")
            let reader = EventReader(socket)
            _ = try await reader.next()
            try await reader.send(["follow": 1, "method": "fail", "params": ["text": "too-old"]])
            #expect(try await reader.next() == ["follow": 1, "error": expected])
            await socket.close()
        }
    }

    @Test("what cannot be asked is said with a code, never with a broken connection")
    func mistakes() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            #expect(try await browser.call("nothing").code == "unknown-method")
            #expect(try await browser.call("echo").code == "bad-request")
            #expect(try await browser.post("/api/call", ["x": 1]).code == "bad-request")
            #expect(try await browser.ask("POST", "/api/call", body: Array("{".utf8)).code == "bad-request")
            #expect(try await browser.ask("GET", "/api/call").status == 405)
            #expect(try await browser.ask("POST", "/api/nothing").code == "not-found")
            let large = try await browser.ask("POST", "/api/qr", body: Array(repeating: 0x20, count: 20_000))
            #expect(large.status == 413)
        }
    }

    @Test("who lacks a right is told which")
    func right() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let params: JSONValue = ["text": "not-allowed", "method": "bell.ring"]
            #expect(try await browser.call("fail", params).json["error"]?["right"] == "bell")
            let unknown: JSONValue = ["text": "not-allowed", "method": "other.thing"]
            #expect(try await browser.call("fail", unknown).json["error"]?["right"] == nil)
            #expect(try await browser.call("ring").json["error"]?["right"] == "bell")
            let reader = EventReader(try await browser.socket("/api/events"))
            _ = try await reader.next()
            try await reader.send(["follow": 1, "method": "ring"])
            #expect(try await reader.next()?["error"]?["right"] == "bell")
            await reader.socket.close()
        }
    }

    @Test("a request that is closed ends what it asked")
    func cancellation() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let asking = Task { try await browser.call("wait") }
            await scene.noted("waiting")
            asking.cancel()
            _ = await asking.result
            await scene.noted("cancelled")
        }
    }

    @Test("a text becomes a code's rows, and a picture its text")
    func codes() async throws {
        var plan = PageScene.Plan()
        plan.scan = { picture in
            switch picture {
            case [1, 2, 3]: return "found"
            case [2]: throw QRError.severalCodes(count: 2)
            case [3]: throw QRError.pictureTooLarge(width: 9000, height: 9000, pages: 1, limit: 64_000_000)
            default: throw QRError.noCode
            }
        }
        try await PageScene.run(plan) { scene in
            let browser = try await scene.browser()
            let matrix = try await browser.post("/api/qr", ["text": "x"]).json
            #expect(matrix["size"] == 21)
            #expect(matrix["rows"]?.arrayValue?.count == 21)
            #expect(matrix["rows"]?.arrayValue?.first == "100000000000000000000")
            #expect(try await browser.ask("POST", "/api/scan", body: [1, 2, 3]).json == ["text": "found"])
            #expect(try await browser.ask("POST", "/api/scan", body: [9]).status == 422)
            let several = try await browser.ask("POST", "/api/scan", body: [2])
            #expect(several.status == 409)
            #expect(several.code == "refused")
            #expect(several.json["error"]?["reason"] == "severalCodes")
            #expect(several.json["error"]?["values"] == ["count": 2])
            let large = try await browser.ask("POST", "/api/scan", body: [3])
            #expect(large.status == 413)
            #expect(large.json["error"]?["reason"] == "pictureTooLarge")
            #expect(try await browser.ask("POST", "/api/scan").code == "bad-request")
            let length = ["Content-Length": "\(PageAPI.pictureBytes + 1)"]
            #expect(try await browser.ask("POST", "/api/scan", fields: length).status == 413)
        }
    }

    @Test("a port that is taken is said, with what to do, and nothing else ends")
    func taken() async throws {
        try await PageScene.run { scene in
            let configuration = PageConfiguration(
                role: "phone",
                place: try .init(address: "127.0.0.1", port: scene.client.port),
                version: "1",
                platform: "linux",
                machineName: "studio"
            )
            var quiet = Logger(label: "second")
            quiet.logLevel = .critical
            let second = try Page(
                configuration,
                routes: [],
                topics: [],
                database: PageSceneDatabase.make(),
                logger: quiet
            )
            let run = Task { try await second.run() }
            let error = await #expect(throws: PageError.self) { try await second.boundPort() }
            guard case .cannotListen(role: "phone", _, port: scene.client.port, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains("tandem phone --page 127.0.0.1:0") == true)
            await #expect(throws: PageError.self) {
                try await second.table.handle(ControlRequest(id: 0, method: "page.link"))
            }
            run.cancel()
            _ = await run.result
        }
    }

    @Test("without a page a link cannot be had, and the reason is said")
    func off() async throws {
        let configuration = PageConfiguration(
            role: "hub",
            place: nil,
            version: "1",
            platform: "linux",
            machineName: "studio"
        )
        let page = try Page(
            configuration,
            routes: [],
            topics: [],
            database: PageSceneDatabase.make(),
            logger: .init(label: "page")
        )
        await #expect(throws: PageError.off(role: "hub")) { try await page.makeLink() }
    }
}
