import Foundation
import LinuxDiscovery
import Sealing
import Testing
import Transport

@Suite("Discovery through avahi", .serialized, .timeLimit(.minutes(5)))
struct LinuxDiscoveryTests {
    /// Of this run only: a daemon of the machine's own may know other devices.
    private let run = UUID().uuidString.prefix(8).lowercased()
    private var name: String { "tandem-test-\(run)" }

    private func advertisement(_ number: Int) throws -> ServiceAdvertisement {
        try ServiceAdvertisement(
            deviceID: "\(run)-\(number)",
            did: DID("did:key:z6MkExampleA"),
            name: name,
            port: 9000 + UInt16(number)
        )
    }

    private func services(_ snapshot: DiscoverySnapshot) -> [DiscoveredService] {
        snapshot.services.filter { $0.deviceID.hasPrefix(run) }
    }

    /// The first of `values` that `condition` holds for.
    private static func first<Value: Sendable>(
        of values: AsyncStream<Value>,
        where condition: @Sendable (Value) -> Bool
    ) async throws -> Value {
        try #require(await values.first(where: condition))
    }

    @Test("what is advertised is found with its address, and lost when it says goodbye")
    func roundTrip() async throws {
        try await DiscoveryNetwork.run { network in
            try await network.bus {
                try await network.daemon {
                    let advertiser = LinuxServiceAdvertiser()
                    let browser = LinuxServiceBrowser()
                    let advertising = Task { await advertiser.advertise(try advertisement(1)) }
                    let browsing = Task { await browser.browse() }
                    defer { browsing.cancel() }

                    let state = try await Self.first(of: advertiser.states()) { $0 == .advertised(name: name) }
                    #expect(state == .advertised(name: name))
                    let found = try await Self.first(of: browser.snapshots()) { !services($0).isEmpty }
                    #expect(found.state == .running)
                    #expect(services(found).count == 1)
                    let service = try #require(found.services(of: "\(run)-1").first)
                    #expect(service.did.text == "did:key:z6MkExampleA")
                    #expect(service.name == name)
                    #expect(service.port == 9001)
                    #expect(service.path == "/")
                    if DiscoveryNetwork.isSystemDaemonRunning {
                        #expect(!service.addresses.isEmpty)
                    } else {
                        #expect(service.addresses == ["127.0.0.1"])
                    }

                    advertising.cancel()
                    try await advertising.value
                    #expect(try await Self.first(of: advertiser.states()) { _ in true } == .idle)
                    let lost = try await Self.first(of: browser.snapshots()) { services($0).isEmpty }
                    #expect(lost.state == .running)

                    browsing.cancel()
                    await browsing.value
                    #expect(try await Self.first(of: browser.snapshots()) { _ in true } == DiscoverySnapshot())
                }
            }
        }
    }

    @Test("two devices with one name get two names, and each keeps its id")
    func collision() async throws {
        try await DiscoveryNetwork.run { network in
            try await network.bus {
                try await network.daemon {
                    let first = LinuxServiceAdvertiser()
                    let second = LinuxServiceAdvertiser()
                    let browser = LinuxServiceBrowser()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        defer { group.cancelAll() }
                        group.addTask { await first.advertise(try advertisement(1)) }
                        group.addTask { await browser.browse() }
                        _ = try await Self.first(of: first.states()) { $0 == .advertised(name: name) }
                        group.addTask { await second.advertise(try advertisement(2)) }
                        _ = try await Self.first(of: second.states()) { $0 == .advertised(name: "\(name) #2") }
                        let found = try await Self.first(of: browser.snapshots()) { services($0).count == 2 }
                        #expect(services(found).map(\.deviceID) == ["\(run)-1", "\(run)-2"])
                        #expect(services(found).map(\.name) == [name, "\(name) #2"])
                        #expect(services(found).map(\.port) == [9001, 9002])
                    }
                }
            }
        }
    }

    @Test(
        "a missing bus and a missing daemon are said and waited for, and a daemon that comes back is used again",
        .disabled(if: DiscoveryNetwork.isSystemDaemonRunning, "the machine's own avahi-daemon would have to be stopped")
    )
    func absence() async throws {
        try await DiscoveryNetwork.run { network in
            let advertiser = LinuxServiceAdvertiser()
            let browser = LinuxServiceBrowser()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { await advertiser.advertise(try advertisement(1)) }
                group.addTask { await browser.browse() }
                _ = try await Self.first(of: advertiser.states()) { $0 == .waiting(.systemBusMissing) }
                _ = try await Self.first(of: browser.snapshots()) { $0.state == .waiting(.systemBusMissing) }
                try await network.bus {
                    _ = try await Self.first(of: advertiser.states()) { $0 == .waiting(.daemonNotRunning) }
                    _ = try await Self.first(of: browser.snapshots()) { $0.state == .waiting(.daemonNotRunning) }
                    for _ in 1...2 {
                        try await network.daemon {
                            _ = try await Self.first(of: advertiser.states()) { $0 == .advertised(name: name) }
                            let found = try await Self.first(of: browser.snapshots()) { services($0).count == 1 }
                            #expect(services(found).map(\.deviceID) == ["\(run)-1"])
                        }
                        _ = try await Self.first(of: advertiser.states()) { $0 == .waiting(.daemonNotRunning) }
                        let lost = try await Self.first(of: browser.snapshots()) {
                            $0.state == .waiting(.daemonNotRunning)
                        }
                        #expect(lost.services.isEmpty)
                    }
                }
            }
        }
    }
}
