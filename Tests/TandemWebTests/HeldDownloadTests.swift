import Files
import FilesHost
import Foundation
import HomeTesting
import Kernel
import LinuxFiles
import NIOCore
import NIOPosix
import Rights
import Testing
import Transport

@testable import TandemWeb

@Suite("Downloads that the program holds for the browser", .timeLimit(.minutes(4)))
struct HeldDownloadTests {
    /// More than all that lies between the computer's disk and a browser that does not read.
    private static let content = (0..<24_000_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    private static let file = "/api/files?path=~/a.bin&download=d-1"
    private static let entry = "/api/downloads?id=d-1"

    /// A machine under load may give all of it before the request that holds it is heard: then there is nothing left to look at.
    private struct RanAhead: Error {}

    /// Tries again, with everything new, where the program ran ahead.
    private static func files(
        _ body: @escaping @Sendable (_ home: Home, _ page: PageClient, _ file: URL) async throws -> Void
    ) async throws {
        for _ in 0..<9 {
            do { return try await filesOnce(body) } catch is RanAhead {}
        }
        try await filesOnce(body)
    }

    private static func filesOnce(
        _ body: @escaping @Sendable (_ home: Home, _ page: PageClient, _ file: URL) async throws -> Void
    ) async throws {
        try await PagedHome.withFolder { shared, root in
            let access = try LinuxFileAccess(home: shared.path, trash: root.appending(path: "trash").path)
            let file = shared.appending(path: "a.bin")
            try Data(content).write(to: file)
            try await PagedHome.run([.files(access)], allowing: [.fileRead]) { home, page, _ in
                try await body(home, page, file)
            }
        }
    }

    private static func state(_ page: PageClient) async throws -> String? {
        try await page.ask("GET", entry).json["state"]?.stringValue
    }

    private static func until(_ page: PageClient, _ states: String...) async throws -> JSONValue {
        while true {
            let answer = try await page.ask("GET", entry).json
            if states.contains(answer["state"]?.stringValue ?? "") { return answer }
        }
    }

    /// Reads what was given, and returns once nothing more comes while it is paused.
    private static func drained(_ browser: BrowserDownload, _ page: PageClient) async throws -> Int64 {
        while true {
            let given = try await page.ask("GET", entry).json["done"]?.integerValue ?? 0
            if given == Int64(browser.body.count) { return given }
            try await browser.read(until: Int(given))
        }
    }

    /// One that is paused in its midst; `body` is told how much of it was given.
    private static func paused(
        _ page: PageClient,
        _ body: (BrowserDownload, Int64) async throws -> Void
    ) async throws {
        try await BrowserDownload.open(page, file) { browser in
            try await browser.read(until: 1_000_000)
            _ = try await page.ask("POST", entry + "&state=paused")
            let given = try await drained(browser, page)
            guard given < Int64(content.count) else { throw RanAhead() }
            try await body(browser, given)
        }
    }

    @Test("one that was begun waits for the browser, is given whole, and is done")
    func whole() async throws {
        try await Self.files { _, page, _ in
            let begun = try await page.ask("POST", Self.entry + "&path=~/a.bin")
            #expect(begun.json == ["state": "ready", "done": 0, "size": 24_000_001])
            #expect(try await page.ask("POST", Self.entry + "&path=~/a.bin").json == begun.json, "asked twice")
            let answer = try await page.ask("GET", Self.file)
            #expect(answer.status == 200)
            #expect(answer.fields["content-disposition"] == "attachment; filename*=UTF-8''a.bin")
            #expect(answer.body == Self.content)
            let done = try await Self.until(page, "done", "cancelled")
            #expect(done == ["state": "done", "done": 24_000_001, "size": 24_000_001])
            // One that no page began is known from its bytes on.
            _ = try await page.ask("GET", Self.file + "2", fields: ["Range": "bytes=24000000-"])
            let other = try await page.ask("GET", Self.entry + "2").json
            #expect(other["size"] == 24_000_001)
        }
    }

    @Test("while it is paused nothing more is given, and then the rest")
    func pause() async throws {
        try await Self.files { _, page, _ in
            try await BrowserDownload.open(page, Self.file) { browser in
                try await browser.read(until: 1_000_000)
                let paused = try await page.ask("POST", Self.entry + "&state=paused")
                #expect(paused.json["state"] == "paused")
                let given = try await Self.drained(browser, page)
                guard given < 24_000_001 else { throw RanAhead() }
                #expect(try await Self.state(page) == "paused")
                #expect(try await page.ask("POST", Self.entry + "&state=running").json["state"] == "running")
                #expect(try await browser.rest() == Self.content)
            }
            #expect(try await Self.until(page, "done", "cancelled")["state"] == "done")
        }
    }

    @Test("a computer that goes away and comes back, with another program, is waited for in the same response")
    func away() async throws {
        try await Self.files { home, page, _ in
            try await Self.paused(page) { browser, given in
                await home.stopDesktop()
                _ = try await page.ask("POST", Self.entry + "&state=running")
                async let comesBack: Void = {
                    let away = try await Self.until(page, "away", "failed", "done")
                    #expect(away["state"] == "away")
                    #expect(away["done"]?.integerValue ?? 0 >= given)
                    try await home.startDesktop()
                }()
                #expect(try await browser.rest() == Self.content)
                try await comesBack
            }
            #expect(try await Self.until(page, "done", "failed", "cancelled")["state"] == "done")
        }
    }

    @Test("a file that became another is cut, and never mixed; the rest is refused from then on")
    func otherVersion() async throws {
        try await Self.files { _, page, file in
            try await Self.paused(page) { browser, _ in
                // In place, as programs write that save over a file.
                try Data(Self.content.reversed()).write(to: file)
                _ = try await page.ask("POST", Self.entry + "&state=running")
                let body = try await browser.rest()
                #expect(body.count < Self.content.count)
                #expect(body[...] == Self.content.prefix(body.count))
                let failed = try await Self.until(page, "failed", "done", "cancelled")
                #expect(failed["state"] == "failed")
                #expect(failed["error"]?["code"] == "refused")
                let tag = try #require(browser.fields["etag"])
                let fields = ["Range": "bytes=\(body.count)-", "If-Range": tag]
                #expect(try await page.ask("GET", Self.file, fields: fields).status == 409)
            }
        }
    }

    @Test("a right that is taken away ends it, and is named")
    func right() async throws {
        try await Self.files { home, page, _ in
            try await Self.paused(page) { browser, _ in
                try await home.deny([.fileRead])
                _ = try await page.ask("POST", Self.entry + "&state=running")
                #expect(try await browser.rest().count < Self.content.count)
                let failed = try await Self.until(page, "failed", "done", "cancelled")
                #expect(failed["error"]?["code"] == "not-allowed")
                #expect(failed["error"]?["right"] == "file.read")
            }
            let refused = try await page.ask("POST", "/api/downloads?id=other&path=~/a.bin")
            #expect(refused.code == "not-allowed")
        }
    }

    @Test(
        "cancelled on the page, the response is cut at once, and a browser that asks again gets nothing",
        arguments: [true, false]
    )
    func cancel(isPaused: Bool) async throws {
        try await Self.files { home, page, _ in
            func cancel(_ browser: BrowserDownload) async throws {
                let cancelled = try await page.ask("DELETE", Self.entry)
                guard cancelled.json["done"] != 24_000_001 else { throw RanAhead() }
                #expect(cancelled.json["state"] == "cancelled")
                #expect(try await browser.rest().count < Self.content.count)
            }
            if isPaused {
                try await Self.paused(page) { browser, _ in try await cancel(browser) }
            } else {
                try await BrowserDownload.open(page, Self.file) { browser in
                    try await browser.read(until: 1_000_000)
                    // Then it waits for a computer that is away.
                    await home.stopDesktop()
                    try await cancel(browser)
                }
            }
            let again = try await page.ask("GET", Self.file, fields: ["Range": "bytes=1000000-"])
            if isPaused {
                #expect(again.status == 404)
                #expect(again.json["error"]?["reason"] == "downloadCancelled")
            }
            #expect(try await Self.state(page) == "cancelled")
            #expect(try await page.ask("POST", Self.entry + "&state=running").json["state"] == "cancelled")
        }
    }

    @Test("a browser that leaves ends it, also while it is paused, and may go on with the rest of the same version")
    func left() async throws {
        try await Self.files { _, page, _ in
            var had: [UInt8] = []
            var tag = ""
            try await Self.paused(page) { browser, _ in
                let second = try await page.ask("GET", Self.file)
                #expect(second.json["error"]?["reason"] == "downloadOpen")
                (had, tag) = (browser.body, try #require(browser.fields["etag"]))
            }
            #expect(try await Self.until(page, "cancelled", "done", "failed")["state"] == "cancelled")
            let rest = try await page.ask(
                "GET",
                Self.file,
                fields: ["Range": "bytes=\(had.count)-", "If-Range": tag]
            )
            #expect(rest.status == 206)
            #expect(had + rest.body == Self.content)
            #expect(try await Self.until(page, "done", "cancelled")["done"] == 24_000_001)
        }
    }

    @Test("signing out cuts one at once that is paused")
    func signedOut() async throws {
        try await Self.files { _, page, _ in
            try await Self.paused(page) { (browser, given) async throws in
                #expect(try await page.ask("POST", "/api/sign-out").status == 204)
                #expect(try await Int64(browser.rest().count) == given)
            }
            #expect(try await page.ask("GET", Self.file).status == 401)
        }
    }

    @Test("no more are open than leave a browser connections for the page, and what a page says of one is checked")
    func bounds() async throws {
        try await Self.files { _, page, _ in
            for id in ["", "a_b", "a%20b", String(repeating: "a", count: 65), "%C3%BC"] {
                #expect(try await page.ask("POST", "/api/downloads?id=\(id)&path=~/a.bin").code == "bad-request")
                #expect(try await page.ask("GET", "/api/downloads?id=\(id)").code == "bad-request")
                #expect(try await page.ask("GET", "/api/files?path=~/a.bin&download=\(id)").code == "bad-request")
            }
            #expect(try await page.ask("GET", "/api/downloads").code == "bad-request")
            for method in ["GET", "DELETE"] {
                #expect(try await page.ask(method, Self.entry).json["error"]?["reason"] == "unknownDownload")
            }
            #expect(try await page.ask("POST", Self.entry + "&state=paused").status == 404)
            #expect(try await page.ask("POST", Self.entry).code == "bad-request")
            #expect(try await page.ask("POST", Self.entry + "&path=~/none").code == "not-found")
            for id in 1...3 {
                #expect(try await page.ask("POST", "/api/downloads?id=d-\(id)&path=~/a.bin").status == 200)
            }
            #expect(try await page.ask("POST", Self.entry + "&path=~/b.bin").code == "bad-request")
            #expect(try await page.ask("POST", Self.entry + "&state=gone").code == "bad-request")
            let full = try await page.ask("POST", "/api/downloads?id=d-4&path=~/a.bin")
            #expect(full.code == "refused")
            #expect(full.json["error"]?["reason"] == "tooManyDownloads")
            #expect(try await page.ask("GET", "/api/files?path=~/a.bin&download=d-4").status == 409)
            #expect(try await page.ask("DELETE", Self.entry).status == 200)
            #expect(try await page.ask("POST", "/api/downloads?id=d-4&path=~/a.bin").status == 200)
        }
    }
}

/// A browser's request for a file, which reads no more than it is told to.
private final class BrowserDownload {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received: [UInt8] = []
    private(set) var fields: [String: String] = [:]
    private(set) var body: [UInt8] = []

    private init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) { iterator = inbound.makeAsyncIterator() }

    /// The connection is closed when `use` returns.
    static func open(
        _ page: PageClient,
        _ target: String,
        _ use: (BrowserDownload) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: 64 << 10)
            .connect(host: "127.0.0.1", port: page.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let head = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nCookie: \(page.cookie ?? "")\r\n\r\n"
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: head))
            try await use(BrowserDownload(inbound))
        }
    }

    func read(until count: Int) async throws {
        while body.count < count, try await more() {}
    }

    /// All of the body, as far as it came.
    func rest() async throws -> [UInt8] {
        do {
            while body.count < fields["content-length"].flatMap(Int.init) ?? .max, try await more() {}
        } catch let error as IOError where error.errnoCode == ECONNRESET {
            // Cut by the program.
        }
        return body
    }

    private func more() async throws -> Bool {
        guard let piece = try await iterator.next() else { return false }
        guard fields.isEmpty else {
            body += piece.readableBytesView
            return true
        }
        received += piece.readableBytesView
        guard received.indices.contains(where: { received[$0...].starts(with: Array("\r\n\r\n".utf8)) }) else {
            return true
        }
        let answer = try PageClient.parse(received)
        (fields, body) = (answer.fields, answer.body)
        return true
    }
}
