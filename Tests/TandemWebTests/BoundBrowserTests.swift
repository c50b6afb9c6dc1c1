import Control
import Foundation
import GRDB
import Kernel
import KernelTesting
import Storage
import Testing

@testable import TandemWeb

@Suite("What the role does for one browser", .timeLimit(.minutes(2)))
struct BoundBrowserTests {
    /// With a clock of its own.
    private static var plan: PageScene.Plan {
        var plan = PageScene.Plan()
        plan.bindings = [
            BrowserBinding("note", ending: ["text": "off"]) { $0["text"].map { $0 != "off" } ?? false }
        ]
        return plan
    }

    private static func call(_ browser: PageClient, _ text: String) async throws {
        let answer = try await browser.call("note", ["text": .string(text)])
        #expect(answer.status == 200)
    }

    private static func noted(_ scene: PageScene, _ count: Int) async -> [String] {
        for await noted in scene.noted.values() where noted.count >= count { return noted }
        return []
    }

    @Test("ends when that browser is signed out, and not with another one")
    func signOut() async throws {
        try await PageScene.run(Self.plan) { scene in
            let (first, second) = (try await scene.browser(), try await scene.browser())
            try await Self.call(first, "on")
            #expect(try await second.post("/api/sign-out", [:]).status == 204)
            try await Self.call(first, "again")
            #expect(try await first.post("/api/sign-out", [:]).status == 204)
            #expect(await Self.noted(scene, 3) == ["on", "again", "off"])
        }
    }

    @Test("ends when all are signed out, also where it is not noted for whom it began")
    func signOutAll() async throws {
        let database = try PageSceneDatabase.make()
        try await PageScene.run(Self.plan, database: database) { scene in
            let browser = try await scene.browser()
            try await Self.call(browser, "on")
            let answer = try await scene.page.table.handle(.init(id: 1, method: "page.signOut"))
            #expect(answer["browsers"] == 1)
            // Once the command has its answer. The look at who is open may have come at the same moment.
            #expect(Set(scene.noted.value.dropFirst()) == ["off"])
        }
        #expect(try await PageSessions(database).bound("note") == nil)
        try await PageScene.run(Self.plan, database: database) { scene in
            _ = try await scene.browser()
            _ = try await scene.page.table.handle(.init(id: 1, method: "page.signOut"))
            #expect(scene.noted.value == ["off"])
        }
    }

    @Test("ends thirty days after the browser signed in, with nobody there to ask")
    func expiry() async throws {
        try await PageScene.run(Self.plan) { scene in
            let browser = try await scene.browser()
            try await Self.call(browser, "on")
            scene.clock.advance(by: .seconds(30 * 86_400 + 1))
            while !Task.isCancelled, scene.noted.value.count < 2 {
                scene.clock.advance(by: BoundBrowsers.pace)
                await Task.yield()
            }
            #expect(scene.noted.value == ["on", "off"])
        }
    }

    @Test("ends at the next start where the program was killed in between")
    func restart() async throws {
        let database = try PageSceneDatabase.make()
        try await PageScene.run(Self.plan, database: database) { scene in
            try await Self.call(try await scene.browser(), "on")
        }
        try await PageSessions(database).removeAll()
        try await PageScene.run(Self.plan, database: database) { scene in
            #expect(await Self.noted(scene, 1) == ["off"])
            // It is noted as ended once the method has its answer, so that a kill between the two ends it again.
            while !Task.isCancelled, try await PageSessions(database).bound("note") != nil { await Task.yield() }
        }
        #expect(try await PageSessions(database).bound("note") == nil)
    }
}
