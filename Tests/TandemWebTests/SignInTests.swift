import Dispatch
import Foundation
import GRDB
import Kernel
import KernelTesting
import Storage
import Testing
import Transport

@testable import TandemWeb

@Suite("Signing in to the page", .timeLimit(.minutes(2)))
struct SignInTests {
    @Test("a link lets one browser in, once; the second finds it used")
    func once() async throws {
        try await PageScene.run { scene in
            let link = try await scene.page.makeLink().url
            let target = String(link.dropFirst("http://127.0.0.1:\(scene.client.port)".count))
            let first = try await scene.client.ask("GET", target)
            #expect(first.status == 303)
            #expect(first.fields["location"] == "/")
            let cookie = try #require(first.fields["set-cookie"])
            #expect(cookie.hasPrefix("tandem-desktop-\(scene.client.port)="))
            #expect(cookie.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"))
            let second = try await scene.client.ask("GET", target)
            #expect(second.status == 303)
            #expect(second.fields["location"] == "/#/sign-in/expired")
            #expect(second.fields["set-cookie"] == nil)
        }
    }

    @Test("a link older than two minutes is worth nothing, and a session older than thirty days neither")
    func expiry() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let link = try await scene.page.makeLink().url
            scene.clock.advance(by: .seconds(121))
            let target = String(link.dropFirst(browser.origin.count))
            #expect(try await scene.client.ask("GET", target).fields["location"] == "/#/sign-in/expired")
            #expect(try await browser.ask("GET", "/api/hello").status == 200)
            scene.clock.advance(by: .seconds(30 * 86_400 + 1))
            #expect(try await browser.ask("GET", "/api/hello").status == 401)
        }
    }

    @Test("a used link leads who is signed in to the page; thirty days later a new link is needed, and works")
    func again() async throws {
        try await PageScene.run { scene in
            var browser = try await scene.browser()
            let used = try await scene.page.makeLink().url
            let target = String(used.dropFirst(browser.origin.count))
            #expect(try await scene.client.ask("GET", target).fields["location"] == "/")
            #expect(try await browser.ask("GET", target).fields["location"] == "/")
            for _ in 0..<20 { _ = try await scene.client.ask("GET", "/sign-in?token=x") }
            #expect(try await scene.client.ask("GET", target).status == 429)
            #expect(try await browser.ask("GET", target).fields["location"] == "/", "others' guesses lock nobody out")

            scene.clock.advance(by: .seconds(30 * 86_400 + 1))
            #expect(try await browser.ask("GET", target).fields["location"] == "/#/sign-in/expired")
            let refusal = try await browser.ask("GET", "/api/hello")
            #expect(refusal.status == 401)
            #expect(refusal.json["error"]?["reason"] == "notSignedIn")
            #expect(refusal.json["error"]?["values"] == ["role": "desktop"])
            let link = try await scene.page.makeLink().url
            let answer = try await browser.ask("GET", String(link.dropFirst(browser.origin.count)))
            #expect(answer.fields["location"] == "/")
            let cookie = try #require(answer.fields["set-cookie"]?.split(separator: ";").first)
            browser.cookie = String(cookie)
            #expect(try await browser.ask("GET", "/api/hello").status == 200)
        }
    }

    @Test("a cookie outlives the program; what is kept of it opens nothing")
    func restart() async throws {
        let database = try PageSceneDatabase.make()
        let value = LatestValue("")
        try await PageScene.run(database: database) { scene in
            let browser = try await scene.browser()
            #expect(try await browser.ask("GET", "/api/hello").status == 200)
            value.set(String(browser.cookie?.split(separator: "=").last ?? ""))
        }
        let kept = try PageSessions(database).open(at: 0)
        #expect(kept.count == 1)
        #expect(kept[0].hash.count == 32)
        #expect(Base64URL.encode(kept[0].hash) != value.value)
        let signIn = try SignIn(database, time: ManualClock())
        #expect(signIn.count == 1)
        let name = "tandem-desktop-1"
        #expect(signIn.session(cookies: ["\(name)=\(value.value)"], named: name) == nil, "of another port")
    }

    @Test("a session is its own role's and port's")
    func names() async throws {
        let database = try PageSceneDatabase.make()
        let signIn = try SignIn(database)
        let value = try await signIn.redeem(signIn.makeLink(), cookie: "tandem-desktop-8700")
        #expect(signIn.session(cookies: ["a=b; tandem-desktop-8700=\(value)"], named: "tandem-desktop-8700") != nil)
        #expect(signIn.session(cookies: ["tandem-desktop-8700=\(value)"], named: "tandem-phone-8701") == nil)
        #expect(signIn.session(cookies: ["tandem-phone-8701=\(value)"], named: "tandem-phone-8701") == nil)
        #expect(signIn.session(cookies: ["tandem-desktop-8700=\(value)x"], named: "tandem-desktop-8700") == nil)
        #expect(signIn.session(cookies: [], named: "tandem-desktop-8700") == nil)
    }

    @Test("a cookie that the version before wrote opens")
    func yesterday() async throws {
        let database = try PageSceneDatabase.make()
        try await database.write { database in
            // SHA-256 of the cookie's name, a zero byte and its value.
            try database.execute(
                sql: """
                    INSERT INTO page_session VALUES (
                        X'63941ea12905a0fa056b241391bcdddd5545ddfa97eb37d85b62690039351683',
                        1789999990000, 1792591990000
                    )
                    """
            )
        }
        let clock = ManualClock()
        let signIn = try SignIn(database, time: clock)
        let name = "tandem-desktop-8700"
        let session = try #require(signIn.session(cookies: ["\(name)=yesterday"], named: name))
        #expect(signIn.isOpen(session))
        clock.advance(by: .milliseconds(2_591_989_999))
        #expect(signIn.isOpen(session))
        clock.advance(by: .milliseconds(1))
        #expect(!signIn.isOpen(session))
    }

    @Test("a browser that is signed in while all are signed out is not, now and after a restart")
    func signedOutMeanwhile() async throws {
        let database = try PageSceneDatabase.make()
        let signIn = try SignIn(database, time: ManualClock())
        // The disk takes nothing until it is released, which happens by itself where the test fails.
        let released = DispatchSemaphore(value: 0)
        database.asyncWriteWithoutTransaction { _ in _ = released.wait(timeout: .now() + 60) }
        let link = signIn.makeLink()
        let signingIn = Task { try await signIn.redeem(link, cookie: "c") }
        for await open in signIn.open() where !open.isEmpty { break }
        let signingOut = Task { try await signIn.signOutAll() }
        for await open in signIn.open() where open.isEmpty { break }
        released.signal()
        #expect(try await signingOut.value == 1)
        await #expect(throws: PageError.badLink) { try await signingIn.value }
        #expect(signIn.count == 0)
        #expect(try PageSessions(database).open(at: 0).isEmpty)
    }

    @Test("wrong links are answered some times, then no more for a while; the right one works again after it")
    func guesses() async throws {
        let clock = ManualClock()
        let signIn = try SignIn(try PageSceneDatabase.make(), time: clock)
        for _ in 0..<20 {
            await #expect(throws: PageError.badLink) { try await signIn.redeem("x", cookie: "c") }
        }
        let link = signIn.makeLink()
        await #expect(throws: PageError.tooManyTries) { try await signIn.redeem(link, cookie: "c") }
        clock.advance(by: .seconds(4))
        _ = try await signIn.redeem(link, cookie: "c")
        #expect(signIn.count == 1)
    }

    @Test("of more than 32 browsers the oldest is signed out")
    func limit() async throws {
        let database = try PageSceneDatabase.make()
        let signIn = try SignIn(database)
        let first = try await signIn.redeem(signIn.makeLink(), cookie: "c")
        for _ in 0..<32 { _ = try await signIn.redeem(signIn.makeLink(), cookie: "c") }
        #expect(signIn.count == 32)
        #expect(signIn.session(cookies: ["c=\(first)"], named: "c") == nil)
        #expect(try PageSessions(database).open(at: 0).count == 32)
    }

    @Test("signing out ends a browser's open connection and its cookie, and no other browser's")
    func signOut() async throws {
        try await PageScene.run { scene in
            let (leaving, staying) = (try await scene.browser(), try await scene.browser())
            let (left, stayed) = (try await leaving.socket("/api/events"), try await staying.socket("/api/events"))
            let answer = try await leaving.ask("POST", "/api/sign-out")
            #expect(answer.status == 204)
            #expect(answer.fields["set-cookie"]?.contains("Max-Age=0") == true)
            for await _ in left.messages {}
            #expect(left.closedWith == .policyViolation)
            #expect(try await leaving.ask("GET", "/api/hello").code == "signed-out")
            #expect(try await staying.ask("GET", "/api/hello").status == 200)
            #expect(stayed.closure == nil)
            await stayed.close()
        }
    }

    @Test("signing everybody out ends every connection at once, and voids links that were not used")
    func signOutAll() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let socket = try await browser.socket("/api/events")
            let link = try await scene.page.makeLink().url
            let answer = try await browser.call("page.signOut")
            #expect(answer.json["result"]?["browsers"] == 1 || answer.status == 401)
            for await _ in socket.messages {}
            #expect(try await browser.ask("GET", "/api/hello").status == 401)
            let target = String(link.dropFirst(browser.origin.count))
            #expect(try await scene.client.ask("GET", target).fields["location"] == "/#/sign-in/expired")
        }
    }
}
