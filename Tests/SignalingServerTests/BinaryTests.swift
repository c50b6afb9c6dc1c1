import Kernel
import KernelTesting
import Sealing
import SignalingServer
import Testing
import Transport

@Suite("Binary frames by route", .timeLimit(.minutes(5)))
struct BinaryTests {
    private func record(route: UInt32, size: Int) -> [UInt8] {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: route >> (24 - 8 * UInt32($0))) }
        return [1, 7] + number + (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    }

    private func proven(_ id: String, _ server: TestServer) async throws -> TestPeer {
        let peer = try await server.connect()
        try await peer.register(id, proving: Identity(), host: peer.connection.host)
        try await peer.expectType("registered")
        return peer
    }

    @Test(
        "only the four route bytes change, for small and large frames, on one event loop and on two",
        arguments: [24, 70_000, 1_000_000],
        [1, 2]
    )
    func forwarded(size: Int, loops: Int) async throws {
        try await withServer {
            $0.eventLoops = loops
        } _: { server in
            let phone = try await proven("phone", server)
            let desktop = try await proven("pc-77", server)
            try await phone.send(["type": "route", "to": "pc-77", "route": 9])
            try await phone.connection.send(binary: record(route: 9, size: size))
            try await phone.connection.send(binary: record(route: 9, size: 3))
            let announced = try await desktop.expectType("route")
            #expect(announced == ["type": "route", "from": "phone", "route": 1])
            #expect(await desktop.nextMessage() == .binary(record(route: 1, size: size)))
            #expect(await desktop.nextMessage() == .binary(record(route: 1, size: 3)))
        }
    }

    @Test("a route survives that its target comes back on another socket")
    func targetReturns() async throws {
        try await withServer { server in
            let identity = Identity()
            let phone = try await proven("phone", server)
            let desktop = try await server.connect()
            try await desktop.register("pc-77", proving: identity, host: desktop.connection.host)
            try await desktop.expectType("registered")
            try await phone.send(["type": "route", "to": "pc-77", "route": 1023])
            try await phone.connection.send(binary: record(route: 1023, size: 30))
            try await desktop.expectType("route")
            #expect(await desktop.nextMessage() == .binary(record(route: 1, size: 30)))
            let again = try await server.connect()
            try await again.register("pc-77", proving: identity, host: again.connection.host)
            try await again.expectType("registered")
            try await phone.connection.send(binary: record(route: 1023, size: 31))
            try await again.expectType("route")
            #expect(await again.nextMessage() == .binary(record(route: 1, size: 31)))
        }
    }

    @Test("who is away or does not speak binary is reported once a second, and nothing is queued")
    func nowhere() async throws {
        try await withServer(clock: ManualClock()) { server in
            let phone = try await proven("phone", server)
            let legacy = try await server.peer("legacy")
            try await phone.send(["type": "route", "to": "away", "route": 1])
            try await phone.send(["type": "route", "to": "legacy", "route": 2])
            for _ in 0..<3 {
                try await phone.connection.send(binary: record(route: 1, size: 24))
                try await phone.connection.send(binary: record(route: 2, size: 24))
            }
            let away = try await phone.expectType("peer-offline")
            #expect(away["peerId"] == "away")
            #expect(away["messageType"] == "binary")
            #expect(away["route"] == 1)
            #expect(
                try await phone.expectType("route") == ["type": "route", "to": "legacy", "route": 2, "refused": true]
            )
            try await phone.expectNothing()
            let later = try await proven("away", server)
            try await later.expectNothing()
            try await legacy.expectNothing()
        }
    }

    @Test("numbers out of range, unset routes and short frames are refused; binary JSON stays JSON")
    func refused() async throws {
        try await withServer { server in
            let phone = try await proven("phone", server)
            for route: JSONValue in [0, 1024, -1, "1", .number(1.5)] {
                try await phone.send(["type": "route", "to": "pc-77", "route": route])
                #expect(try await phone.expectType("error")["code"] == "invalid-route")
            }
            try await phone.connection.send(binary: record(route: 5, size: 24))
            #expect(try await phone.expectType("error")["code"] == "invalid-route")
            try await phone.connection.send(binary: [1, 0, 0])
            #expect(try await phone.expectType("error")["error"] == "Invalid message format")
            try await phone.connection.send(binary: Array(#"{"type":"ping"}"#.utf8))
            try await phone.expectType("pong")
        }
    }

    @Test("a sender that leaves gives its number back, so that strangers cannot use up a device's routes")
    func routesAreFreed() async throws {
        try await withServer {
            $0.limits.routes = 2
        } _: { server in
            let desktop = try await proven("pc-77", server)
            for turn in 0..<5 {
                let stranger = try await proven("stranger-\(turn)", server)
                try await stranger.send(["type": "route", "to": "pc-77", "route": 1])
                try await stranger.connection.send(binary: record(route: 1, size: 30))
                let announced = try await desktop.expectType("route")
                #expect(announced["from"] == .string("stranger-\(turn)"))
                let number = UInt32(try #require(announced["route"]?.integerValue))
                #expect(await desktop.nextMessage() == .binary(record(route: number, size: 30)))
                await stranger.close()
                // The server has heard of the end once its list is without it.
                while !Task.isCancelled, server.server.peers().contains(where: { $0.id == "stranger-\(turn)" }) {
                    await Task.yield()
                }
            }
        }
    }

    @Test("a socket that takes one id after the other uses one number at a time")
    func routesOfManyIDs() async throws {
        try await withServer {
            $0.limits.routes = 2
        } _: { server in
            let desktop = try await proven("pc-77", server)
            let identity = Identity()
            let stranger = try await server.connect()
            for turn in 0..<5 {
                try await stranger.register("id-\(turn)", proving: identity, host: stranger.connection.host)
                try await stranger.expectType("registered")
                try await stranger.send(["type": "route", "to": "pc-77", "route": 1])
                try await stranger.connection.send(binary: record(route: 1, size: 30))
                #expect(try await desktop.expectType("route")["from"] == .string("id-\(turn)"))
                _ = await desktop.nextMessage()
            }
        }
    }
}
