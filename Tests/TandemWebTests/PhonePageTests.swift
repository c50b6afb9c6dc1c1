import Crypto
import Foundation
import Kernel
import Testing
import Transport

@testable import TandemWeb

@Suite("The page for phones beside a signaling server", .timeLimit(.minutes(2)))
struct PhonePageTests {
    /// Asks for a target with fields of a head; nil where no route serves it.
    private typealias Ask = @Sendable (String, [String: String]) async throws -> HTTPRouteResponse?

    private static let secure = PhonePlace(hasCertificate: true)

    /// A page of a few files.
    private static func run(
        at place: PhonePlace = secure,
        _ body: @Sendable (_ ask: Ask) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-phone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appending(path: "kit"), withIntermediateDirectories: true)
        for (path, text) in [
            ("phone.html", "<!doctype html>"), ("index.html", "x"), ("sw.js", "x"), ("manifest.webmanifest", "{}"),
            ("kit/h.js", "// A comment.\n" + String(repeating: "export const a = 1;\n", count: 50)), ("a.css", "p {}"),
        ] { try Data(text.utf8).write(to: folder.appending(path: path)) }
        let routes = try PhonePage(at: place, files: folder, terminal: nil, version: "1.2.3").routes()
        let table = try #require(RouteTable.tables(webSockets: [], http: routes, reserved: [])[.shared])
        try await body { target, fields in
            let path = target.prefix { $0 != "?" }
            guard case .route(let route, let parameters) = table.http("GET", path) else { return nil }
            var fields = fields
            let host = fields.removeValue(forKey: "Host") ?? "hub.example.net:9001"
            let request = RouteRequest(
                method: "GET",
                target: target,
                parameters: parameters,
                host: host,
                clientAddress: nil,
                fields: fields.map { ($0.key, $0.value) }
            )
            return try await route.handler(request, HTTPRequestBody(limit: 0) { nil })
        }
    }

    private static func text(_ answer: HTTPRouteResponse?) -> String {
        guard case .bytes(let bytes)? = answer?.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func field(_ name: String, _ answer: HTTPRouteResponse?) -> String? {
        answer?.fields.first { $0.name == name }?.value
    }

    @Test("a page is where a browser can seal: with a certificate, on this machine, and behind a proxy that has one")
    func places() {
        let plain = PhonePlace(hasCertificate: false)
        let behind = PhonePlace(hasCertificate: false, isBehindProxy: true)
        let cases: [(PhonePlace, String, String?)] = [
            (Self.secure, "hub.example.net", "https://hub.example.net/phone/"),
            (Self.secure, "HUB.example.net:9001", "https://hub.example.net:9001/phone/"),
            (Self.secure, "192.168.7.20:9001", "https://192.168.7.20:9001/phone/"),
            (plain, "127.0.0.1:9001", "http://127.0.0.1:9001/phone/"),
            (plain, "localhost:9001", "http://localhost:9001/phone/"),
            (plain, "[::1]:9001", "http://[::1]:9001/phone/"),
            (plain, "192.168.7.20:9001", nil), (plain, "desk.local:9001", nil), (plain, "hub.example.net", nil),
            (plain, "127.0.0.1.example.net", nil), (plain, "", nil), (plain, "a b", nil),
            (behind, "hub.example.net", "https://hub.example.net/phone/"),
            (behind, "192.168.7.20:9001", nil), (behind, "127.0.0.1:9001", "http://127.0.0.1:9001/phone/"),
        ]
        for (place, host, url) in cases { #expect(place.url(at: host) == url, "\(host)") }
    }

    @Test("files are served below the address as what they are, and nothing else is")
    func files() async throws {
        try await Self.run { ask in
            for (path, type) in [
                ("/phone/", "text/html; charset=utf-8"), ("/phone/kit/h.js", "text/javascript; charset=utf-8"),
                ("/phone/a.css", "text/css; charset=utf-8"), ("/phone/bundle.json", "application/json"),
            ] {
                let answer = try await ask(path, [:])
                #expect(answer?.status == 200, "\(path)")
                #expect(Self.field("Content-Type", answer) == type)
                #expect(Self.field("Cache-Control", answer) == "no-cache")
                #expect(Self.field("X-Content-Type-Options", answer) == "nosniff")
                #expect(Self.field("Referrer-Policy", answer) == "no-referrer")
                #expect(Self.field("Cross-Origin-Opener-Policy", answer) == "same-origin")
                let policy = try #require(Self.field("Content-Security-Policy", answer))
                #expect(policy.contains("script-src 'self';"))
                #expect(policy.contains("require-trusted-types-for 'script'; trusted-types tandem"))
                #expect(answer?.fields.contains { $0.name.hasPrefix("Access-Control") } == false)
            }
            for path in [
                "/phone/index.html", "/phone/sw.js", "/phone/phone.html", "/phone/manifest.webmanifest", "/phone/kit",
                "/phone/..%2fsecret", "/phone/kit/../a.css", "/phone//a.css",
            ] {
                let answer = try await ask(path, [:])
                #expect(answer == nil || answer?.status == 404, "\(path)")
            }
            let moved = try await ask("/phone", [:])
            #expect(moved?.status == 308)
            #expect(Self.field("Location", moved) == "/phone/")
        }
    }

    @Test("a file is not sent again while it is the same, and one that is named by its hash is kept for good")
    func caching() async throws {
        try await Self.run { ask in
            let first = try await ask("/phone/kit/h.js", [:])
            let tag = try #require(Self.field("ETag", first))
            let again = try await ask("/phone/kit/h.js", ["If-None-Match": tag])
            #expect(again?.status == 304)
            #expect(Self.text(again).isEmpty)
            let hash = tag.trimmingCharacters(in: ["\""])
            let named = try await ask("/phone/kit/h.js?sha256=\(hash)", [:])
            #expect(Self.field("Cache-Control", named) == "public, max-age=31536000, immutable")
            let other = try await ask("/phone/kit/h.js?sha256=\(hash.reversed())", [:])
            #expect(Self.field("Cache-Control", other) == "no-cache")
        }
    }

    @Test("a browser that takes gzip gets fewer bytes of the same file, under a tag of their own")
    func compression() async throws {
        try await Self.run { ask in
            let plain = try await ask("/phone/kit/h.js", [:])
            let packed = try await ask("/phone/kit/h.js", ["Accept-Encoding": "br, gzip"])
            #expect(Self.field("Content-Encoding", packed) == "gzip")
            #expect(Self.field("Content-Encoding", plain) == nil)
            #expect(Self.field("ETag", packed) != Self.field("ETag", plain))
            guard case .bytes(let small)? = packed?.body, case .bytes(let large)? = plain?.body else {
                Issue.record("no bytes")
                return
            }
            #expect(small.count < large.count / 4)
            #expect(small.starts(with: [0x1F, 0x8B]))
            // What compression would not make smaller goes as it is.
            let short = try await ask("/phone/a.css", ["Accept-Encoding": "gzip"])
            #expect(Self.field("Content-Encoding", short) == nil)
        }
    }

    @Test("a bundle of just these files is served in their place, as it is; one of other files is not")
    func bundled() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-phone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (page, bundle) = (folder.appending(path: "page"), folder.appending(path: "bundle"))
        for each in [page, bundle] {
            try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
        }
        let (document, script) = (Data("<!doctype html>".utf8), Data("const a = `\n  b\n`;".utf8))
        try document.write(to: page.appending(path: "phone.html"))
        try Data("// A comment.\n".utf8).write(to: page.appending(path: "z.js"))
        try document.write(to: bundle.appending(path: "phone.html"))
        try script.write(to: bundle.appending(path: "small.js"))
        let lines = try ["phone.html", "z.js"].map { path in
            let data = try Data(contentsOf: page.appending(path: path))
            return "\(Hexadecimal.encode(SHA256.hash(data: data)))  \(path)\n"
        }
        let stamp = Hexadecimal.encode(SHA256.hash(data: Data(lines.joined().utf8)))
        try Data("\(stamp)\nmade by a test\n".utf8).write(to: bundle.appending(path: "made-of"))
        let found = try #require(BundledPage.find(in: [page, bundle], madeOf: page))
        #expect(found == bundle)
        let served = PhoneBundle(AssetTable(folder: found, terminal: nil, hasComments: false).contents(), version: "1")
        #expect(served.files["small.js"]?.bytes == Array(script))
        #expect(served.files["made-of"] == nil)
        try Data("// Another.\n".utf8).write(to: page.appending(path: "z.js"))
        #expect(BundledPage.find(in: [page, bundle], madeOf: page) == nil)
    }

    @Test("the manifest lists each file with its hash as served, and its own hash is that of the list")
    func manifest() async throws {
        try await Self.run { ask in
            let manifest = try JSONValue(parsing: Self.text(try await ask("/phone/bundle.json", [:])).utf8)
            #expect(manifest["version"] == "1.2.3")
            let files = try #require(manifest["files"]?.arrayValue)
            #expect(files.compactMap { $0["path"]?.stringValue } == ["", "a.css", "kit/h.js"])
            var list = ""
            for file in files {
                let path = try #require(file["path"]?.stringValue)
                let bytes = Data(Self.text(try await ask("/phone/\(path)", [:])).utf8)
                let hash = Hexadecimal.encode(SHA256.hash(data: bytes))
                #expect(file["sha256"]?.stringValue == hash)
                #expect(file["bytes"]?.integerValue == Int64(bytes.count))
                list += "\(hash)  \(path)\n"
            }
            #expect(manifest["sha256"]?.stringValue == Hexadecimal.encode(SHA256.hash(data: Data(list.utf8))))
        }
    }

    @Test("where a browser cannot seal there is one page without scripts, which says why in the browser's language")
    func notice() async throws {
        try await Self.run(at: PhonePlace(hasCertificate: false)) { ask in
            let host = ["Host": "192.168.7.20:9001"]
            let english = try await ask("/phone/", host)
            #expect(english?.status == 200)
            #expect(Self.text(english).contains("This browser cannot seal here"))
            #expect(Self.text(english).contains("http://192.168.7.20:9001"))
            #expect(Self.text(english).contains("http://127.0.0.1:9001/phone/"))
            #expect(!Self.text(english).contains("<script"))
            let policy = try #require(Self.field("Content-Security-Policy", english))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            let chinese = try await ask("/phone/", host.merging(["Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"]) { $1 })
            #expect(Self.text(chinese).contains("<html lang=\"zh-Hans\">"))
            for path in ["/phone/kit/h.js", "/phone/bundle.json"] {
                #expect(try await ask(path, host)?.status == 404)
            }
            let hostile = try await ask("/phone/", ["Host": "<b>x</b>"])
            #expect(!Self.text(hostile).contains("<b>x"))
            // The same server serves the page on its own machine.
            #expect(Self.text(try await ask("/phone/", ["Host": "127.0.0.1:9001"])) == "<!doctype html>")
        }
    }

    @Test(
        "the language is the one that the browser wants more",
        arguments: [
            ("", false), ("zh", true), ("en-GB,en;q=0.9", false), ("fr, zh-TW;q=0.5", true),
            ("zh;q=0.2, en;q=0.8", false),
            ("en;q=0.1,zh;q=0.3", true), ("zh;q=x", true), ("zh;q=0", false), ("*", false),
        ]
    )
    func languages(header: String, isChinese: Bool) {
        #expect(PlainAddressNotice.isChinese(header) == isChinese)
    }

    @Test("the hash that a computer tells of its page is that of the list which a server serves")
    func hashOfTheBundle() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-phone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("<!doctype html>".utf8).write(to: folder.appending(path: "phone.html"))
        let files = SHA256.hash(data: Data("<!doctype html>".utf8))
        let line = "\(Hexadecimal.encode(files))  \n"
        let hash = PhonePageHash(files: folder, terminal: nil)
        #expect(try await hash.value() == Hexadecimal.encode(SHA256.hash(data: Data(line.utf8))))
        #expect(try await PhonePageHash(files: nil, terminal: nil).value() == nil)
    }

    @Test("without the page's files a server says what is missing")
    func missing() async throws {
        let page = try PhonePage(at: Self.secure, files: nil, terminal: nil, version: "1").routes()
        let request = RouteRequest(method: "GET", target: "/phone/", host: "hub.example.net", clientAddress: nil)
        #expect(try await page[1].handler(request, HTTPRequestBody(limit: 0) { nil }).status == 503)
    }
}
