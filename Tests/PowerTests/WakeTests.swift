import Commands
import Control
import HomeTesting
import Kernel
import Pairing
import Power
import PowerHost
import Rights
import Synchronization
import TandemPhone
import Testing

/// A computer with one network card, which notes what it is made to send.
private final class OneCard: PowerAccess {
    private let address: HardwareAddress
    private let sent = Mutex<[HardwareAddress]>([])

    init(_ text: String) throws { address = try #require(HardwareAddress(text)) }

    var packets: [HardwareAddress] { sent.withLock(\.self) }

    func lockObstacle() async -> String? { nil }
    func sleepObstacle() async -> String? { nil }
    func interfaces() async -> [PowerStatus.Interface] { [.init(name: "eth0", address: address, isWakeOn: true)] }
    func lock() async throws(PowerError) {}
    func sleep() async throws(PowerError) {}

    func wake(_ packets: [MagicPacket]) async throws(PowerError) -> Int {
        sent.withLock { $0 += packets.map(\.address) }
        return packets.count
    }
}

/// A phone with two computers, of which one is away.
@Suite("Waking one computer by another", .timeLimit(.minutes(4)))
struct WakeTests {
    private static let studio = "52:54:00:12:34:56"

    private static func run(_ body: @escaping @Sendable (Home, OneCard) async throws -> Void) async throws {
        let (attic, studio) = (try OneCard("52:54:00:12:34:57"), try OneCard(Self.studio))
        let plans = [("attic", attic), ("studio-pc", studio)].map { name, card in
            ComputerPlan(name, features: [PowerSkill.maker(card)])
        }
        try await Home.run(computers: plans, phones: [PhonePlan("Ada's phone")]) { home in
            try await home.pairOwners(allowing: [.power, .powerWake])
            try await body(home, attic)
        }
    }

    private static func ask(_ home: Home, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try await home.phone.control.handle(ControlRequest(id: 1, method: method, params: params)) { _ in }
    }

    /// The names of the computers that can be woken, once there are so many.
    private static func known(_ home: Home, _ count: Int) async throws -> [JSONValue] {
        while true {
            let computers = try await ask(home, "power.known")["computers"]?.arrayValue ?? []
            if computers.count == count { return computers }
            await Task.yield()
        }
    }

    @Test("the phone knows the addresses of a computer that is away, and the other one sends the packet for it")
    func wake() async throws {
        try await Self.run { home, attic in
            let known = try await Self.known(home, 2)
            #expect(known.map { $0["name"] } == ["attic", "studio-pc"])
            #expect(known.last?["addresses"] == [.string(Self.studio)])
            #expect(known.last?["wakeOn"] == true)
            try await home.computer(named: "studio-pc").stop()
            let woken = try await Self.ask(home, "power.wakeUp", ["device": "studio-pc"])
            #expect(woken["senders"]?.arrayValue?.map { $0["name"] } == ["attic"])
            #expect(woken["senders"]?.arrayValue?.map { $0["packets"] } == [1])
            #expect(attic.packets.map(\.description) == [Self.studio])
            await #expect(throws: (any Error).self) {
                try await Self.ask(home, "power.wakeUp", ["device": "studio-pc", "through": "studio-pc"])
            }
        }
    }

    @Test("without the right no packet is sent, and it is said how to allow it; addresses go with the computer")
    func withoutRight() async throws {
        try await Self.run { home, attic in
            _ = try await Self.known(home, 2)
            try await home.computer(named: "attic").deny([.powerWake])
            let woken = try await Self.ask(home, "power.wakeUp", ["device": "studio-pc"])
            let sender = woken["senders"]?.arrayValue?.first
            #expect(sender?["packets"] == 0)
            #expect(sender?["reason"]?.stringValue?.contains("power.wake") == true)
            #expect(attic.packets.isEmpty)
            let studio = try #require(await home.phone.pairedDesktops().first { $0.deviceName == "studio-pc" })
            _ = try await Self.ask(home, "devices.forget", ["id": .string(studio.pcPeerID)])
            #expect(try await Self.known(home, 1).map { $0["name"] } == ["attic"])
        }
    }
}
