import Commands
import Control
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import Signaling
import Storage
import Testing
import Transport

@testable import TandemDesktop
@testable import TandemPhone

@Suite("A hub, a computer and a phone", .timeLimit(.minutes(5)))
struct HouseholdTests {
    @Test("scan, and the computer answers, sealed, over the local network")
    func scanAndCall() async throws {
        try await Household.run { home in
            let computer = try await home.pair()
            let answer = try await home.phone.call("system.ping", [:], on: computer)
            #expect(answer["pong"] == true)
            #expect(answer["version"] == "1")
            await home.path(.lan, to: computer)
            let phones = home.desktop.pairedPhones()
            #expect(phones.map(\.did.text) == [home.phone.identity.did])
            #expect(phones.map(\.name) == ["My phone"])
        }
    }

    @Test("nobody is paired before the person at the computer says yes")
    func asking() async throws {
        try await Household.run(acceptsEverybody: false) { home in
            let shown = try await home.desktop.pairing.makeCode()
            async let paired = home.phone.pairing.pair(with: home.phone.pairing.read(shown.qrText))
            var request: PairingRequest?
            for await status in home.desktop.pairing.statuses() {
                request = status.requests.first
                if request != nil { break }
            }
            let asked = try #require(request)
            #expect(asked.name == "My phone")
            #expect(asked.isEndToEnd)
            #expect(home.desktop.pairedPhones().isEmpty)
            try await home.desktop.pairing.accept(asked.id)
            let computer = try await paired
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
        }
    }

    @Test("no is an answer that names the computer")
    func declined() async throws {
        try await Household.run(acceptsEverybody: false) { home in
            let shown = try await home.desktop.pairing.makeCode()
            let paired = Task { try await home.phone.pairing.pair(with: home.phone.pairing.read(shown.qrText)) }
            for await status in home.desktop.pairing.statuses() {
                guard let request = status.requests.first else { continue }
                try await home.desktop.pairing.reject(request.id)
                break
            }
            await #expect(throws: PairingError.declined(name: "studio-pc")) { try await paired.value }
            #expect(home.desktop.pairedPhones().isEmpty)
            #expect(await home.phone.pairedDesktops().isEmpty)
        }
    }

    @Test("the LAN is cut and mended: the relay takes over and gives back, and every call is answered once")
    func failover() async throws {
        let way = ProxyBox()
        try await Household.run(
            advertise: { port in
                let proxy = TCPProxy(target: port)
                let opened = try await proxy.open()
                await way.set(proxy, port: opened)
                return try #require(URL(string: "ws://127.0.0.1:\(opened)"))
            }
        ) { home in
            let computer = try await home.pair()
            await home.path(.lan, to: computer)
            let isOver = LatestValue(false)
            let calls = Task {
                var answers = 0
                while !isOver.value {
                    let answer = try await home.phone.call("system.ping", [:], on: computer)
                    guard answer["pong"] == true else { throw RemoteError.malformedResult }
                    answers += 1
                }
                return answers
            }
            try await way.cut()
            await home.path(.relay, to: computer)
            try await way.mend()
            await home.path(.lan, to: computer)
            isOver.set(true)
            #expect(try await calls.value > 0)
        }
    }

    @Test("a connection that stalls is left for the hub within a call's few seconds, again and again")
    func stalls() async throws {
        let way = ProxyBox()
        try await Household.run(
            advertise: { port in
                let proxy = TCPProxy(target: port)
                let opened = try await proxy.open()
                await way.set(proxy, port: opened)
                return try #require(URL(string: "ws://127.0.0.1:\(opened)"))
            }
        ) { home in
            let computer = try await home.pair()
            for _ in 0..<8 {
                await home.path(.lan, to: computer)
                await way.stall()
                let answer = try await home.phone.call("system.ping", [:], on: computer, timeout: .seconds(5))
                #expect(answer["pong"] == true)
                #expect(await home.phone.path(to: computer.pcPeerID) == .relay)
                await way.goOn()
            }
        }
    }

    @Test("paired by typed digits through a hub in the same house, both sides use the local network and call it so")
    func namesOfWays() async throws {
        try await Household.run { home in
            let code = try #require(try await home.desktop.pairing.makeCode().typed)
            let computer = try await home.typed(code.grouped)
            await home.path(.lan, to: computer)
            let phone = try DID(home.phone.identity.did)
            while !Task.isCancelled, await home.desktop.path(to: phone) != .lan { await Task.yield() }
            let record = try await home.phone.desktop(named: nil)
            #expect(record.lanSignalingURL?.port == home.desktopPort)
            #expect(record.relayURL == home.hubURL)
        }
    }

    @Test("forgotten on the phone, forgotten on the computer; and the other way round")
    func forgetting() async throws {
        try await Household.run { home in
            let computer = try await home.pair()
            await home.path(.lan, to: computer)
            try await home.phone.pairing.forget(computer.pcPeerID)
            try await home.phonesLeave()

            let again = try await home.pair()
            await home.path(.lan, to: again)
            let phone = try DID(home.phone.identity.did)
            try await home.desktop.forget(phone)
            try await home.computersLeave()
            await #expect(throws: PhoneError.nothingPaired) { try await home.phone.desktop(named: nil) }
            try await home.pair()
        }
    }

    @Test("forgetting says what to type at a computer that could not be told, and nothing of one that was told")
    func untold() async throws {
        try await Household.run { home in
            let computer = try await home.pair()
            await home.path(.lan, to: computer)
            let (away, date) = (Identity(), Date(timeIntervalSince1970: 0))
            _ = try await home.phone.desktops.save(
                PairedDesktop(
                    pcPeerID: "away-pc",
                    deviceName: "away-pc",
                    pairedAt: date,
                    lastSeenAt: date,
                    did: away.did,
                    agreementKey: away.agreementKey,
                    state: .confirmed
                )
            )
            let control = home.phone.control
            let command = "tandem devices forget \(home.phone.identity.did)"
            let expected: [(id: String, untold: JSONValue?)] = [
                (computer.pcPeerID, nil), ("away-pc", .string(command)),
            ]
            for (id, untold) in expected {
                let params: JSONValue = ["id": .string(id)]
                let answer = try await control.handle(.init(id: 1, method: "devices.forget", params: params))
                #expect(answer["untold"] == untold)
                #expect(answer["id"] == .string(id))
            }
            try await home.phonesLeave()
            #expect(await home.phone.pairedDesktops().isEmpty)
        }
    }

    @Test("a computer that is paired again before the phone's list was looked at has a session of its own")
    func pairedAgain() async throws {
        try await Household.run { home in
            let computer = try await home.pair()
            await home.path(.lan, to: computer)
            let link = try #require(await home.phone.computers.known(computer.pcPeerID))
            // Forgetting closes it; the list in between, without the computer, was missed.
            await link.connection.close()
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
            #expect(await home.phone.computers.known(computer.pcPeerID) !== link)
        }
    }

    /// The owner gives the phone these rights, or takes them back. Returns once the phone was told.
    private func tell(_ rights: Set<Right>, areAllowed: Bool, in home: Household) async throws {
        let phone = try #require(home.desktop.pairedPhones().first)
        if areAllowed {
            try await home.desktop.allow(rights, to: phone)
        } else {
            try await home.desktop.deny(rights, to: phone)
        }
        let expected = areAllowed ? rights : []
        while !Task.isCancelled, await home.phone.pairedDesktops().first?.allowed?.rights != expected {
            await Task.yield()
        }
    }

    @Test("paired again with a computer that had forgotten it, the phone takes messages that count from one again")
    func numberedAnew() async throws {
        try await Household.run { home in
            let rights = home.desktop.phones.records.rights.all
            try #require(!rights.isEmpty)
            try await home.pair()
            for areAllowed in [false, true, false, true] { try await tell(rights, areAllowed: areAllowed, in: home) }
            // What a computer does that forgets a phone which is away.
            let phone = try #require(home.desktop.pairedPhones().first?.agreementKey)
            try await SQLiteSessionStore(home.desktop.state.database).forget(phone)
            try await home.pair()
            for areAllowed in [false, true] { try await tell(rights, areAllowed: areAllowed, in: home) }
            #expect(await home.phone.pairedDesktops().first?.allowed?.rights == rights)
        }
    }

    @Test("paired again, a phone keeps the session in which calls and transfers are under way")
    func pairedAgainInUse() async throws {
        try await Household.run { home in
            try await home.pair()
            let desktop = try #require(await home.phone.pairedDesktops().first)
            let link = try #require(await home.phone.computers.link(to: desktop))
            try await home.pair()
            #expect(await home.phone.computers.link(to: desktop) === link)
            #expect(try await home.phone.call("system.ping", [:], on: desktop)["pong"]?.boolValue == true)
        }
    }

    @Test("a stranger's command is refused with a reason, over any relay")
    func stranger() async throws {
        try await Household.run { home in
            let identity = Identity()
            let client = WebSocketSignalClient(identity: identity, logger: Logger(label: "test"))
            let messages = client.messages()
            try await client.maintain(home.hubURL, as: identity.did.text, device: SignalDevice(category: .mobile))
            for await state in client.states() where state.presence != nil { break }
            let request = CommandRequest(id: "1", method: "system.ping")
            try await client.send(
                SignalMessage(to: home.desktop.device.deviceID, payload: request.envelope(mobileDID: identity.did.text))
            )
            var answer: CommandResponse?
            for await event in messages {
                guard case .message(let message) = event else { continue }
                answer = try CommandResponse(envelope: message.payload)
                break
            }
            let reason = "not-paired: this device is not paired with this computer. Pair it first."
            #expect(answer?.outcome == .failure(RemoteFailure(code: -32008, message: reason)))
            await client.disconnect()
        }
    }

    @Test("the computer scans the phone's code, and the phone's first session may come before its answer")
    func flowA() async throws {
        try await Household.run { home in
            for _ in 0..<4 {
                let code = try await home.phone.showCode()
                try await home.desktop.pairing.pair(with: home.desktop.pairing.read(code.text))
                let computer = try await home.phone.desktop(named: nil)
                #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
                try await home.phone.pairing.forget(computer.pcPeerID)
                try await home.phonesLeave()
            }
        }
    }

    @Test("ten typed digits pair through the hub, and a wrong digit burns the code")
    func typedCode() async throws {
        try await Household.run { home in
            let first = try await home.desktop.pairing.makeCode()
            let digits = try #require(first.typed?.digits)
            let wrong = String(digits.dropLast()) + (digits.last == "0" ? "1" : "0")
            await #expect(throws: PairingError.wrongCode) {
                try await home.typed(wrong)
            }
            #expect(home.desktop.pairedPhones().isEmpty)
            let second = try await home.desktop.pairing.makeCode()
            let code = try #require(second.typed)
            let computer = try await home.typed(code.grouped)
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
        }
    }
}

/// The way between phone and computer, from where the test can reach it.
private actor ProxyBox {
    private var proxy: TCPProxy?
    private var port = 0

    func set(_ proxy: TCPProxy, port: Int) {
        self.proxy = proxy
        self.port = port
    }

    func stall() { proxy?.stall() }
    func goOn() { proxy?.goOn() }
    func cut() async throws { try await proxy?.cut() }
    func mend() async throws { _ = try await proxy?.open(port: port) }
}
