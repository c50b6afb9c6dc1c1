import Foundation
import Kernel
import Testing

@testable import TandemWeb

@Suite("The page's files", .timeLimit(.minutes(2)))
struct AssetTests {
    private static func run(_ body: @Sendable (PageScene, URL) async throws -> Void) async throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "tandem-page-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: base) }
        let folder = base.appending(path: "page")
        let terminal = base.appending(path: "xterm")
        for inner in [folder.appending(path: "screens"), folder.appending(path: ".git"), terminal] {
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        }
        for (path, text) in [
            ("page/index.html", "<!doctype html>"), ("page/screens/a.js", "export {}"), ("page/a.css", "p {}"),
            ("page/.hidden.js", "x"), ("page/.git/config.json", "x"), ("page/no.exe", "x"), ("secret.js", "x"),
            ("xterm/xterm.js", "t"), ("xterm/xterm.css", "c"),
        ] { try Data(text.utf8).write(to: base.appending(path: path)) }
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "link.js"),
            withDestinationURL: base.appending(path: "secret.js")
        )
        var plan = PageScene.Plan()
        plan.files = folder
        plan.terminalFiles = TerminalFiles.find(in: [base.appending(path: "nowhere"), terminal])
        try await PageScene.run(plan) { try await body($0, folder) }
    }

    @Test("each file is served as what it is, before anybody signs in")
    func types() async throws {
        try await Self.run { scene, _ in
            for (path, type, text) in [
                ("/", "text/html; charset=utf-8", "<!doctype html>"),
                ("/index.html", "text/html; charset=utf-8", "<!doctype html>"),
                ("/screens/a.js?x=1", "text/javascript; charset=utf-8", "export {}\n"),
                ("/a.css", "text/css; charset=utf-8", "p {}\n"),
                ("/assets/xterm.js", "text/javascript; charset=utf-8", "t"),
                ("/assets/xterm.css", "text/css; charset=utf-8", "c"),
            ] {
                let answer = try await scene.client.ask("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.fields["content-type"] == type)
                #expect(answer.fields["cache-control"] == "no-cache")
                #expect(answer.text == text)
            }
            #expect(try await scene.browser().ask("GET", "/api/hello").json["assets"] == ["terminal": true])
        }
    }

    @Test(
        "no path leads to anything else",
        arguments: [
            "/../secret.js", "/screens/../../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "/screens/..",
            "/screens",
            "/screens/", "//index.html", "/./index.html", "/index.html/", "/link.js", "/.hidden.js",
            "/.git/config.json",
            "/no.exe", "/INDEX.HTML", "/index.html%00", "/a.css%20", "/assets/", "/assets/../a.css", "/etc/passwd",
            "/screens%2fa.js",
        ]
    )
    func tricks(path: String) async throws {
        try await Self.run { scene, _ in
            let answer = try await scene.client.ask("GET", path)
            #expect(answer.status == 404)
        }
    }

    @Test("a file that is the same is not sent again, and one that changed is")
    func tags() async throws {
        try await Self.run { scene, folder in
            let first = try await scene.client.ask("GET", "/a.css")
            let tag = try #require(first.fields["etag"])
            let again = try await scene.client.ask("GET", "/a.css", fields: ["If-None-Match": tag])
            #expect(again.status == 304)
            #expect(again.body == [])
            try Data("/* A comment\n   of two lines. */\n\n  // and one\n  p { margin: 0 }".utf8).write(
                to: folder.appending(path: "a.css")
            )
            let changed = try await scene.client.ask("GET", "/a.css", fields: ["If-None-Match": tag])
            #expect(changed.status == 200)
            #expect(changed.text == "p { margin: 0 }\n")
        }
    }

    @Test("without the terminal's files they are not there, and the page is told so")
    func noTerminal() async throws {
        try await PageScene.run { scene in
            #expect(try await scene.client.ask("GET", "/assets/xterm.js").status == 404)
            let index = try await scene.client.ask("GET", "/")
            #expect(index.status == 503)
            #expect(index.text.contains("bin/install"))
        }
    }

    @Test("the program finds the files that stand beside it")
    func place() throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "tandem-place-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: base) }
        let program = base.appending(path: "bin/tandem")
        #expect(PageFiles.folder(beside: program) == nil)
        let shared = base.appending(path: "share/tandem/page")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        try Data().write(to: shared.appending(path: "index.html"))
        #expect(PageFiles.folder(beside: program)?.path == shared.path)
        let built = base.appending(path: "bin/tandem_TandemWeb.resources/Page")
        try FileManager.default.createDirectory(at: built, withIntermediateDirectories: true)
        try Data().write(to: built.appending(path: "index.html"))
        #expect(PageFiles.folder(beside: program)?.path == built.path)
    }
}
