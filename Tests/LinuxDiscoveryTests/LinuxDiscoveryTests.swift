import Kernel
import LinuxDiscovery
import Sealing
import Testing
import Transport

@Suite("Discovery through avahi", .serialized, .timeLimit(.minutes(2)))
struct LinuxDiscoveryTests {
    private static func advertisement(
        _ deviceID: String,
        name: String = "studio-pc",
        port: UInt16 = 9001
    ) throws -> ServiceAdvertisement {
        try ServiceAdvertisement(deviceID: deviceID, did: DID("did:key:z6MkExampleA"), name: name, port: port)
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
                    let advertising = Task { await advertiser.advertise(try Self.advertisement("device-1")) }
                    let browsing = Task { await browser.browse() }
                    defer { browsing.cancel() }

                    let state = try await Self.first(of: advertiser.states()) { $0 == .advertised(name: "studio-pc") }
                    #expect(state == .advertised(name: "studio-pc"))
                    let found = try await Self.first(of: browser.snapshots()) { snapshot in
                        !snapshot.services.isEmpty
                    }
                    #expect(found.state == .running)
                    #expect(found.services.count == 1)
                    let service = try #require(found.services(of: "device-1").first)
                    #expect(service.did.text == "did:key:z6MkExampleA")
                    #expect(service.name == "studio-pc")
                    #expect(service.port == 9001)
                    #expect(service.path == "/")
                    #expect(service.addresses == ["127.0.0.1"])

                    advertising.cancel()
                    try await advertising.value
                    #expect(try await Self.first(of: advertiser.states()) { _ in true } == .idle)
                    let lost = try await Self.first(of: browser.snapshots()) { $0.services.isEmpty }
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
                        group.addTask { await first.advertise(try Self.advertisement("device-1")) }
                        group.addTask { await browser.browse() }
                        _ = try await Self.first(of: first.states()) { $0 == .advertised(name: "studio-pc") }
                        group.addTask { await second.advertise(try Self.advertisement("device-2", port: 9002)) }
                        _ = try await Self.first(of: second.states()) { $0 == .advertised(name: "studio-pc #2") }
                        let found = try await Self.first(of: browser.snapshots()) { $0.services.count == 2 }
                        #expect(found.services.map(\.deviceID) == ["device-1", "device-2"])
                        #expect(found.services.map(\.name) == ["studio-pc", "studio-pc #2"])
                        #expect(found.services.map(\.port) == [9001, 9002])
                    }
                }
            }
        }
    }

    @Test("a missing bus and a missing daemon are said and waited for, and a daemon that comes back is used again")
    func absence() async throws {
        try await DiscoveryNetwork.run { network in
            let advertiser = LinuxServiceAdvertiser()
            let browser = LinuxServiceBrowser()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { await advertiser.advertise(try Self.advertisement("device-1")) }
                group.addTask { await browser.browse() }
                _ = try await Self.first(of: advertiser.states()) { $0 == .waiting(.systemBusMissing) }
                _ = try await Self.first(of: browser.snapshots()) { $0.state == .waiting(.systemBusMissing) }
                try await network.bus {
                    _ = try await Self.first(of: advertiser.states()) { $0 == .waiting(.daemonNotRunning) }
                    _ = try await Self.first(of: browser.snapshots()) { $0.state == .waiting(.daemonNotRunning) }
                    for _ in 1...2 {
                        try await network.daemon {
                            _ = try await Self.first(of: advertiser.states()) { $0 == .advertised(name: "studio-pc") }
                            let found = try await Self.first(of: browser.snapshots()) { $0.services.count == 1 }
                            #expect(found.services.first?.deviceID == "device-1")
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
