import Control
import Foundation
import Kernel
import Pairing
import TandemDesktop
import TandemPhone
import Testing

@Suite("Pairing's commands on a phone", .timeLimit(.minutes(4)))
struct PhonePairingControlTests {
    @Test("a computer is said to be told once something was sent to it, not where its code is refused or leads nowhere")
    func told() async throws {
        try await Household.run { home in
            let control = home.phone.control
            let reports = LatestValue<[JSONValue]>([])
            @Sendable func scan(_ code: JSONValue) async throws -> JSONValue {
                reports.set([])
                let params: JSONValue = ["text": .string(code.canonicalText)]
                return try await control.handle(.init(id: 1, method: "pair.scan", params: params)) { report in
                    reports.update { $0.append(report) }
                }
            }
            let shown = try await home.desktop.pairing.makeCode()
            let code = try JSONValue(parsing: shown.qrText.utf8)
            var members = try #require(code.objectValue)
            members.removeValue(forKey: "e2e")
            let unsealed = JSONValue.object(members)
            await #expect(throws: PairingError.notEndToEnd(name: "studio-pc")) { try await scan(unsealed) }
            #expect(reports.value.isEmpty)
            // Nobody listens on a port that low.
            let nowhere = JSONValue.string("ws://127.0.0.1:1")
            let lost = code.adding("signalingUrl", nowhere).adding("relayUrl", nowhere)
            await #expect(throws: PairingError.self) { try await scan(lost) }
            #expect(reports.value.map { $0["event"] } == ["key"])
            let answer = try await scan(code)
            #expect(answer["name"] == "studio-pc")
            #expect(reports.value.map { $0["event"] } == ["key", "sending"])
            #expect(reports.value.last?["message"] == "Told studio-pc; say yes there.")
        }
    }

    @Test("a phone's code that is taken back ends who watches it")
    func hiding() async throws {
        try await Household.run { home in
            // It shows codes at servers that it knows.
            _ = try await home.pair()
            let control = home.phone.control
            let reports = LatestValue<[JSONValue]>([])
            async let watching = control.handle(.init(id: 1, method: "pair.watch")) { report in
                reports.update { $0.append(report) }
            }
            for await all in reports.values() where !all.isEmpty { break }
            #expect(try await control.handle(.init(id: 2, method: "pair.hide")) == ["hidden": true])
            #expect(try await watching == .null)
            #expect(reports.value.map { $0["event"] } == ["code", "hidden"])
            #expect(try await control.handle(.init(id: 3, method: "pair.hide")) == ["hidden": false])
        }
    }
}
