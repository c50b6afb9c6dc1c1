import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import TandemPhone
import Testing

@testable import TandemDesktop

@Suite("Pairing's commands on a computer", .timeLimit(.minutes(4)))
struct PairingControlTests {
    /// What a command reported, in order.
    private final class Reports: Sendable {
        private let events = LatestValue<[JSONValue]>([])

        func add(_ event: JSONValue) { events.update { $0.append(event) } }

        /// The first of `number` or more reports that is called so.
        func event(_ name: String, number: Int = 1) async throws -> JSONValue {
            for await all in events.values() {
                let named = all.filter { $0["event"]?.stringValue == name }
                if named.count >= number { return named[number - 1] }
            }
            throw CancellationError()
        }
    }

    private func ask(_ control: ControlTable, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try await control.handle(.init(id: 1, method: method, params: params), report: { _ in })
    }

    @Test("a watched code asks once about a phone, whom a yes without an id accepts with the rights that were named")
    func watching() async throws {
        try await Household.run(acceptsEverybody: false, features: MemoryDesktopSession.features) { home in
            let control = home.desktop.control
            let rights = home.desktop.phones.records.rights
            let reports = Reports()
            async let watching = control.handle(.init(id: 1, method: "pair.watch")) { reports.add($0) }
            let code = try await reports.event("code")
            #expect(code["typed"] == true)
            let payload = try #require(code["payload"]?.stringValue)
            async let paired = home.phone.pairing.pair(with: home.phone.pairing.read(payload))
            let request = try await reports.event("request")
            #expect(request["fingerprint"]?.stringValue == home.phone.identity.fingerprint)
            #expect(request["offers"]?.arrayValue?.count == rights.all.count - rights.initial.count)
            await #expect(throws: RightsError.self) { try await ask(control, "pair.accept", ["allow": ["clipbord"]]) }
            let accepted = try await ask(control, "pair.accept", ["allow": ["clipboard,display"]])
            #expect(accepted["skills"] == ["system.info", "notification", "clipboard", "display"])
            #expect(try await paired.did?.fingerprint == accepted["ownFingerprint"]?.stringValue)
            #expect(try await reports.event("paired")["fingerprint"] == request["fingerprint"])
            #expect(try await watching == .null)
            await #expect(throws: DesktopError.nobodyAsks) { try await ask(control, "pair.accept") }
        }
    }

    @Test("a code that is used is followed by one without digits, so that nothing stands there to guess")
    func renewing() async throws {
        try await Household.run(acceptsEverybody: false) { home in
            let control = home.desktop.control
            let reports = Reports()
            let watching = Task {
                try await control.handle(.init(id: 1, method: "pair.watch", params: ["stay": true, "renew": true])) {
                    reports.add($0)
                }
            }
            let payload = try #require(try await reports.event("code")["payload"]?.stringValue)
            let pairing = Task { try await home.phone.pairing.pair(with: home.phone.pairing.read(payload)) }
            _ = try await reports.event("request")
            _ = try await ask(control, "pair.reject")
            await #expect(throws: PairingError.self) { try await pairing.value }
            _ = try await reports.event("used-up")
            let next = try await reports.event("code", number: 2)
            #expect(next["typed"] == false)
            #expect(next["payload"]?.stringValue != payload)
            watching.cancel()
            _ = await watching.result
        }
    }

    @Test(
        "a code that is taken back ends who watches it; who stays hears of it, and gets another only when one is asked for"
    )
    func hiding() async throws {
        try await Household.run(acceptsEverybody: false) { home in
            let control = home.desktop.control
            #expect(try await ask(control, "pair.hide") == ["hidden": false])
            let once = Reports()
            async let watching = control.handle(.init(id: 1, method: "pair.watch")) { once.add($0) }
            _ = try await once.event("code")
            #expect(try await ask(control, "pair.hide") == ["hidden": true])
            #expect(try await watching == .null)
            #expect(try await once.event("hidden") == ["event": "hidden"])
            let reports = Reports()
            let staying = Task {
                try await control.handle(.init(id: 2, method: "pair.watch", params: ["stay": true, "renew": true])) {
                    reports.add($0)
                }
            }
            _ = try await reports.event("code")
            _ = try await ask(control, "pair.hide")
            _ = try await reports.event("hidden")
            let next = try await ask(control, "pair.show", ["digits": false])
            #expect(next["typed"] == false)
            #expect(try await reports.event("code", number: 2)["payload"] == next["payload"])
            staying.cancel()
            _ = await staying.result
        }
    }

    @Test("who opens the code again is shown the one that is good, with digits where it had none")
    func keeping() async throws {
        try await Household.run(acceptsEverybody: false) { home in
            let control = home.desktop.control
            let terminal = Reports()
            let staying = Task {
                try await control.handle(.init(id: 1, method: "pair.watch", params: ["stay": true, "renew": true])) {
                    terminal.add($0)
                }
            }
            let first = try await terminal.event("code")
            let opening: JSONValue = ["stay": true, "renew": true, "keep": true]
            for _ in 0..<2 {
                let page = Reports()
                let opened = Task {
                    try await control.handle(.init(id: 2, method: "pair.watch", params: opening)) { page.add($0) }
                }
                let shown = try await page.event("code")
                #expect(shown["payload"] == first["payload"])
                #expect(shown["code"] == first["code"])
                #expect(shown["expiresAt"] == first["expiresAt"])
                opened.cancel()
                _ = await opened.result
            }
            let scanned = try await ask(control, "pair.show", ["digits": false])
            #expect(scanned["typed"] == false)
            // The second: to this terminal nothing was told while others looked at the first.
            #expect(try await terminal.event("code", number: 2)["payload"] == scanned["payload"])
            let page = Reports()
            let opened = Task {
                try await control.handle(.init(id: 3, method: "pair.watch", params: opening)) { page.add($0) }
            }
            let shown = try await page.event("code")
            #expect(shown["payload"] == scanned["payload"])
            #expect(shown["typed"] == true)
            #expect(try await terminal.event("digits-unlocked")["code"] == shown["code"])
            // One that lets in less is another.
            let unsealed = Reports()
            let other = Task {
                let params: JSONValue = ["stay": true, "keep": true, "allowUnsealed": true]
                return try await control.handle(.init(id: 4, method: "pair.watch", params: params)) { unsealed.add($0) }
            }
            #expect(try await unsealed.event("code")["payload"] != shown["payload"])
            for task in [staying, opened, other] {
                task.cancel()
                _ = await task.result
            }
        }
    }

    @Test("a phone whose command is ended takes its request back: who watches the code is told, and the list says so")
    func takingBack() async throws {
        try await Household.run(acceptsEverybody: false) { home in
            let control = home.desktop.control
            let reports = Reports()
            async let watching = control.handle(.init(id: 1, method: "pair.watch")) { reports.add($0) }
            let payload = try #require(try await reports.event("code")["payload"])
            let scanning = Task {
                try await home.phone.control.handle(.init(id: 1, method: "pair.scan", params: ["text": payload])) { _ in
                }
            }
            let request = try await reports.event("request")
            scanning.cancel()
            #expect(try await reports.event("request-withdrawn")["id"] == request["id"])
            _ = try await reports.event("used-up")
            #expect(try await watching == .null)
            let list = try await ask(control, "pair.requests")
            #expect(list["requests"] == [])
            #expect(list["withdrawn"] == [["id": request["id"] ?? .null, "name": "My phone"]])
        }
    }
}
