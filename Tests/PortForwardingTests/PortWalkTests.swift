import CommandClient
import CommandServer
import Commands
import Control
import Foundation
import HomeTesting
import Kernel
import NIOCore
import NIOPosix
import Pairing
import Rights
import SignalingTesting
import Synchronization
import TandemDesktop
import TandemPhone
import Testing
import Transport

@testable import PortForwarding
@testable import PortForwardingHost

/// The listeners of a computer as a test says them.
private struct ScriptedPorts: ListeningPorts {
    var tandem: Set<Int> = []

    func listening() -> [ListeningPort] {
        [ListeningPort(port: 3000, program: "vite"), ListeningPort(port: 4000, program: "tandem", isOfTandem: true)]
    }

    func isOfTandem(_ port: Int) -> Bool { port == 4000 }
}

/// A program of the computer that a test steers: each connection in the order in which they came.
private final class Program: Sendable {
    let port: Int
    private let channel: any Channel
    private let connections: AsyncStream<PortConnection>

    init() async throws {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PortConnection.self,
            bufferingPolicy: .bufferingOldest(128)
        )
        connections = stream
        channel = try await PortConnection.listen(port: 0) { continuation.yield($0) }
        port = try #require(channel.localAddress?.port)
    }

    func next() async throws -> PortConnection {
        for await connection in connections { return connection }
        throw PortError.ended(.closed)
    }

    /// Harmless a second time.
    func close() async { try? await channel.close().get() }
}

/// Returns once nobody answers at a port whose listener was closed: a program that another test starts has a copy of its socket until it runs.
private func untilRefused(_ port: Int) async {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end, let late = try? await PortConnection.dial(port: port, within: .seconds(5)) {
        late.close(broken: true)
    }
}

extension PortEnd {
    /// Everything until the other side's end.
    fileprivate func readAll() async throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try await read() { all += bytes }
        return all
    }

    fileprivate func read(count: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count, let bytes = try await read() { all += bytes }
        return all
    }
}

/// Ports through the real compositions of a computer and a phone, with real sockets of loopback at both ends.
@Suite("Ports of a computer on its phone", .timeLimit(.minutes(2)))
struct PortWalkTests {
    private struct Walk: Sendable {
        let home: Home
        let computer: PairedDesktop
        let program: Program
        let part: PortForwarder

        var desktop: ControlTable { get async throws { try await home.desktop.control } }
        var phone: ControlTable { get async throws { try await home.phone.control } }

        func allow(_ port: Int? = nil, phone: String? = nil, name: String? = nil) async throws -> PortsHostControl.List
        {
            let allow = PortsHostControl.Allow(port: port ?? program.port, phone: phone, name: name)
            return try await desktop.call(PortsHostControl.allow, allow)
        }

        func deny() async throws {
            _ = try await desktop.call(PortsHostControl.deny, PortsHostControl.Deny(port: program.port, phone: nil))
        }

        /// A connection of another program of the phone's machine, and its other end at the computer.
        func connect(_ forward: PortForwarder.Open) async throws -> (here: PortConnection, there: PortConnection) {
            let here = try await PortConnection.dial(port: forward.local, within: .seconds(10))
            return (here, try await program.next())
        }
    }

    private static func run(_ body: @escaping @Sendable (Walk) async throws -> Void) async throws {
        let program = try await Program()
        let plan = Home.Plan(host: [PortsSkill.maker(listening: ScriptedPorts())])
        try await Home.run(plan) { home in
            let computer = try await home.pair(allowing: [.portsOpen])
            try await home.connected(computer)
            let part = try await home.phone.part(PortForwarder.self, of: computer)
            try await body(Walk(home: home, computer: computer, program: program, part: part))
        }
        await program.close()
    }

    /// With a port of the phone's machine that leads to the program while `body` runs.
    private static func forwarding(
        _ body: @escaping @Sendable (Walk, PortForwarder.Open, _ ended: LatestValue<PortError?>) async throws -> Void
    ) async throws {
        try await run { walk in
            _ = try await walk.allow()
            let (ended, listening) = (LatestValue<PortError?>(nil), LatestValue(0))
            let forwarding = Task {
                let reason = try await walk.part.forward(walk.program.port, from: 0) { listening.set($0) }
                ended.set(reason)
            }
            for await local in listening.values() where local > 0 { break }
            let open = try #require(walk.part.open.first)
            let result: Result<Void, any Error>
            do { result = .success(try await body(walk, open, ended)) } catch { result = .failure(error) }
            forwarding.cancel()
            _ = await forwarding.result
            try result.get()
            #expect(walk.part.open.isEmpty)
        }
    }

    @Test("bytes go both ways, each direction ends by itself, and both ends forget the connection")
    func bothWays() async throws {
        try await Self.forwarding { walk, open, _ in
            let (here, there) = try await walk.connect(open)
            try await here.write(Array("GET / HTTP/1.0\r\n\r\n".utf8))
            try await here.finish()
            #expect(try await there.readAll() == Array("GET / HTTP/1.0\r\n\r\n".utf8))
            let long = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            async let written: Void = there.write(long)
            #expect(try await here.read(count: long.count) == long)
            try await written
            try await there.finish()
            #expect(try await here.readAll() == [])
            while walk.part.open.first?.connections != 0 { await Task.yield() }
            #expect(walk.part.open.first?.counts.arrived == Int64(long.count))
            while try await !walk.desktop.call(PortsHostControl.list).open.isEmpty { await Task.yield() }
        }
    }

    @Test("a connection whose reader stands keeps no more than its window, and the others go on beside it")
    func slowReader() async throws {
        try await Self.forwarding { walk, open, _ in
            let (slow, flooding) = try await walk.connect(open)
            let flood = Task {
                let piece = [UInt8](repeating: 1, count: 1 << 20)
                while !Task.isCancelled { try await flooding.write(piece) }
            }
            let (quick, there) = try await walk.connect(open)
            for number in 0..<50 {
                try await quick.write([UInt8(number)])
                #expect(try await there.read() == [UInt8(number)])
                try await there.write([UInt8(number)])
                #expect(try await quick.read() == [UInt8(number)])
            }
            // The kernel's buffers take some of it; Tandem keeps a window at most, and no more than that was sent.
            let streams = try await walk.desktop.call(PortsHostControl.list).open
            #expect(streams.first?.connections == 2)
            slow.close(broken: true)
            flood.cancel()
            flooding.close(broken: true)
            _ = await flood.result
        }
    }

    @Test("a right that is taken away in use ends the connection and the listener on both sides at once")
    func rightTaken() async throws {
        try await Self.forwarding { walk, open, ended in
            let (here, there) = try await walk.connect(open)
            try await there.write([1])
            #expect(try await here.read() == [1])
            try await walk.home.deny([.portsOpen])
            await #expect(throws: (any Error).self) { try await there.readAll() }
            await #expect(throws: (any Error).self) { try await here.readAll() }
            for await reason in ended.values() where reason != nil {
                #expect(reason == .notAllowed(port: walk.program.port))
                break
            }
            await #expect(throws: PortError.self) {
                try await PortConnection.dial(port: open.local, within: .seconds(5))
            }
            // Given again it opens nothing that was listed for this phone alone.
            try await walk.home.allow([.portsOpen])
            #expect(try await walk.desktop.call(PortsHostControl.list).open.isEmpty)
        }
    }

    @Test("a port that is taken off the list ends what is open there, and nothing else can be opened")
    func portTaken() async throws {
        try await Self.forwarding { walk, open, ended in
            let (here, there) = try await walk.connect(open)
            try await walk.deny()
            await #expect(throws: (any Error).self) { try await there.readAll() }
            await #expect(throws: (any Error).self) { try await here.readAll() }
            for await reason in ended.values() where reason != nil { break }
            await #expect(throws: PortError.notAllowed(port: walk.program.port)) {
                try await walk.part.connect(to: walk.program.port)
            }
        }
    }

    @Test("a phone that is forgotten loses what it has open")
    func forgotten() async throws {
        try await Self.forwarding { walk, open, _ in
            let (here, there) = try await walk.connect(open)
            let record = try await walk.home.record()
            let forget: JSONValue = ["id": .string(record.name)]
            _ = try await walk.desktop.handle(ControlRequest(id: 1, method: "devices.forget", params: forget))
            await #expect(throws: (any Error).self) { try await there.readAll() }
            await #expect(throws: (any Error).self) { try await here.readAll() }
        }
    }

    @Test("a computer whose program begins anew resets what was open, and new connections go through")
    func restart() async throws {
        try await Self.forwarding { walk, open, _ in
            let (here, there) = try await walk.connect(open)
            await walk.home.stopDesktop()
            await #expect(throws: (any Error).self) { try await there.readAll() }
            try await walk.home.startDesktop()
            try await walk.home.connected(walk.computer)
            await #expect(throws: (any Error).self) { try await here.readAll() }
            let (again, other) = try await walk.connect(open)
            try await again.write([7])
            #expect(try await other.read() == [7])
        }
    }

    @Test("a link that breaks loses no byte of what is open, and a connection that is opened meanwhile waits for it")
    func brokenLink() async throws {
        try await Self.forwarding { walk, open, _ in
            let (download, source) = try await walk.connect(open)
            let (here, there) = try await walk.connect(open)
            let relays = [
                walk.home.network.relay(port: 9000),
                walk.home.network.relay(port: try await walk.home.desktop.boundPort()),
            ]
            let long = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            async let sent: Void = source.write(long)
            var came = try await download.read(count: 500_000)
            for relay in relays { relay.stop() }
            try await here.write([1])
            let late = try await PortConnection.dial(port: open.local, within: .seconds(10))
            for relay in relays { relay.restart() }
            #expect(try await there.read(count: 1) == [1])
            try await there.write([2])
            #expect(try await here.read(count: 1) == [2])
            came += try await download.read(count: long.count - came.count)
            #expect(came == long)
            try await sent
            let other = try await walk.program.next()
            try await late.write([3])
            #expect(try await other.read(count: 1) == [3])
        }
    }

    @Test("only listed ports open, for the phone that is named, and never Tandem's own or what is no port")
    func rules() async throws {
        try await Self.run { walk in
            let peer = try await walk.home.phone.peer(walk.computer)
            #expect(try await peer.call(PortMethods.list, NoParameters()).ports == [])
            await #expect(throws: PortError.notAllowed(port: walk.program.port)) {
                try await walk.part.connect(to: walk.program.port)
            }
            for own in [9001, 9099, 4000] {
                await #expect(throws: PortError.ownPort(own)) { try await walk.allow(own) }
            }
            await #expect(throws: PortError.noPort(0)) { try await walk.allow(0) }
            await #expect(throws: PortError.noPort(65_536)) { try await walk.allow(65_536) }
            await #expect(throws: PortError.noSuchPhone("Nobody")) { try await walk.allow(phone: "Nobody") }
            await #expect(throws: PortError.longName(limit: 64)) { try await walk.allow(name: "a\nb") }
            let name = try await walk.home.record().name
            let list = try await walk.allow(phone: name, name: "Dev server")
            #expect(list.ports.map(\.phoneName) == [name])
            #expect(
                try await peer.call(PortMethods.list, NoParameters()).ports
                    == [PortList.Entry(port: walk.program.port, name: "Dev server", isListening: false)]
            )
            _ = try await walk.part.connect(to: walk.program.port)
            await walk.program.close()
            await untilRefused(walk.program.port)
            await #expect(throws: PortError.nothingListens(port: walk.program.port)) {
                try await walk.part.connect(to: walk.program.port)
            }
            let found = try await walk.desktop.call(PortsHostControl.found)
            #expect(found.ports == [PortsHostControl.Found.Port(port: 3000, program: "vite")])
        }
    }

    @Test("taking off the line for every phone leaves the one for this phone, and what is open goes on")
    func lines() async throws {
        try await Self.forwarding { walk, open, _ in
            let name = try await walk.home.record().name
            let both = try await walk.allow(phone: name)
            #expect(both.ports.map(\.phoneName) == [nil, name])
            let (here, there) = try await walk.connect(open)
            let shared = PortsHostControl.Deny(port: walk.program.port, phone: nil, everyPhone: true)
            let left = try await walk.desktop.call(PortsHostControl.deny, shared)
            #expect(left.ports.map(\.phoneName) == [name])
            try await here.write([1])
            #expect(try await there.read(count: 1) == [1])
            await #expect(throws: PortError.notListed(port: walk.program.port)) {
                try await walk.desktop.call(PortsHostControl.deny, shared)
            }
        }
    }

    @Test("a phone has so many connections and no more")
    func many() async throws {
        try await Self.run { walk in
            _ = try await walk.allow()
            for _ in 0..<PortLimits.streams { _ = try await walk.part.connect(to: walk.program.port) }
            await #expect(throws: PortError.tooManyConnections(limit: PortLimits.streams)) {
                try await walk.part.connect(to: walk.program.port)
            }
        }
    }

    @Test("a browser that was let in sees the program, others do not, and signing out of the page shuts them all out")
    func browser() async throws {
        try await Self.run { walk in
            _ = try await walk.allow()
            let enter = PortsControl.Enter(device: nil, port: walk.program.port)
            let url = try await walk.phone.call(PortsControl.enter, enter).url
            let entry = try #require(url.flatMap { URL(string: $0) })
            let (host, port) = (try #require(entry.host), try #require(entry.port))
            func ask(_ path: String, _ fields: [String] = []) async throws -> String {
                let browser = try await PortConnection.dial(port: port, within: .seconds(10))
                let lines = ["GET \(path) HTTP/1.1", "Host: \(host):\(port)"] + fields
                try await browser.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
                return String(decoding: try await browser.readAll(), as: UTF8.self)
            }
            #expect(try await ask("/").hasPrefix("HTTP/1.1 403 "))
            let answer = try await ask("\(entry.path)?\(entry.query ?? "")")
            let cookie = try #require(answer.split(separator: "Set-Cookie: ").last?.split(separator: ";").first)
            async let page = ask("/page", ["Cookie: \(cookie)"])
            let there = try await walk.program.next()
            var head: [UInt8] = []
            while HTTPHead.length(in: head) == nil { head += try await there.read() ?? [] }
            #expect(String(decoding: head, as: UTF8.self).contains("\r\nHost: localhost:\(walk.program.port)\r\n"))
            #expect(!String(decoding: head, as: UTF8.self).contains("Cookie"))
            try await there.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8))
            there.close(broken: false)
            #expect(try await page == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
            let state = try await walk.phone.call(PortsControl.remote, PortsControl.Computer(device: nil))
            #expect(state.open.first?.origin == "http://\(host):\(port)")
            _ = try await walk.phone.call(PortsControl.enter, PortsControl.Enter(device: nil, port: nil))
            await untilRefused(port)
            await #expect(throws: PortError.self) { try await PortConnection.dial(port: port, within: .seconds(5)) }
        }
    }
}
