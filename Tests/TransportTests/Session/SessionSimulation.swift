import KernelTesting
import Sealing
import SignalingTesting

@testable import Transport

/// Two devices and the links between them, in virtual time: the same seed gives the same run, except for the keys.
struct SessionSimulation {
    enum Side: Int, CaseIterable {
        case phone, desktop

        var other: Side { self == .phone ? .desktop : .phone }
    }

    struct Faults {
        var drop = 0.0
        var duplicate = 0.0
        /// Most milliseconds that a frame is late by chance, so that frames overtake each other.
        var jitter = 0
    }

    struct Path {
        let kind: LinkKind
        var latency: Duration
        var link: LinkID?
        /// Frames go in and nothing comes out, though both ends believe the link to be up.
        var isSilent = false
        /// As a TCP connection whose other end stopped reading: frames wait in both directions, and all arrive when it goes on.
        var isStalled = false
    }

    struct Flight {
        var at: ContinuousClock.Instant
        let order: UInt64
        let to: Side
        let path: Int
        let link: LinkID
        let frame: LinkFrame
    }

    static let phoneIdentity = Identity()
    static let desktopIdentity = Identity()

    let start = ContinuousClock.now
    var now: ContinuousClock.Instant
    var phone: SimulatedDevice
    var desktop: SimulatedDevice
    var paths: [Path]
    var flights: [Flight] = []
    var stalled: [Flight] = []
    var faults = Faults()
    var generator: SeededGenerator
    var nextLink: UInt64 = 0
    var order: UInt64 = 0
    var sentFrames: [Side: Int] = [:]
    var capture: ((Side, LinkFrame) -> Void)?

    init(seed: UInt64, timing: SessionTiming = SessionTiming()) {
        now = start
        generator = SeededGenerator(seed: seed)
        phone = SimulatedDevice(
            identity: Self.phoneIdentity,
            peer: Self.desktopIdentity,
            role: .initiator,
            timing: timing
        )
        desktop = SimulatedDevice(
            identity: Self.desktopIdentity,
            peer: Self.phoneIdentity,
            role: .responder,
            timing: timing
        )
        paths = [Path(kind: .lan, latency: .milliseconds(2)), Path(kind: .relay, latency: .milliseconds(40))]
    }

    var milliseconds: Int64 { 1_790_000_000_000 + Int64((now - start) / .milliseconds(1)) }

    subscript(side: Side) -> SimulatedDevice {
        get { side == .phone ? phone : desktop }
        set { if side == .phone { phone = newValue } else { desktop = newValue } }
        _modify {
            if side == .phone { yield &phone } else { yield &desktop }
        }
    }

    mutating func raise(_ path: Int) {
        guard paths[path].link == nil else { return }
        nextLink += 1
        let id = LinkID(nextLink)
        paths[path].link = id
        paths[path].isSilent = false
        for side in Side.allCases { self[side].engine.addLink(id, kind: paths[path].kind, now: now) }
        settle()
    }

    mutating func cut(_ path: Int) {
        guard let id = paths[path].link else { return }
        paths[path].link = nil
        flights.removeAll { $0.link == id }
        stalled.removeAll { $0.link == id }
        for side in Side.allCases { self[side].engine.removeLink(id, now: now) }
        settle()
    }

    mutating func stall(_ path: Int) {
        paths[path].isStalled = true
        stalled += flights.filter { $0.path == path }
        flights.removeAll { $0.path == path }
    }

    mutating func goOn(_ path: Int) {
        paths[path].isStalled = false
        for var flight in stalled where flight.path == path {
            flight.at = now + paths[path].latency
            flights.append(flight)
        }
        stalled.removeAll { $0.path == path }
    }

    mutating func restart(_ side: Side) {
        self[side].restart()
        for path in paths.indices {
            guard let id = paths[path].link else { continue }
            self[side].engine.addLink(id, kind: paths[path].kind, now: now)
        }
        settle()
    }

    @discardableResult
    mutating func send(_ bytes: [UInt8], durable: Bool = false, from side: Side) -> UInt64? {
        let number = self[side].send(bytes, durable: durable, now: now)
        settle()
        return number
    }

    /// Lets both engines do what they want to do now.
    mutating func settle() {
        for side in Side.allCases {
            self[side].settle(now: now, milliseconds: milliseconds)
            for path in paths.indices {
                guard let link = paths[path].link else { continue }
                while let frame = self[side].engine.nextFrame(on: link, now: now) {
                    transmit(frame, from: side, path, link)
                }
            }
        }
    }

    private mutating func transmit(_ frame: LinkFrame, from side: Side, _ path: Int, _ link: LinkID) {
        sentFrames[side, default: 0] += 1
        capture?(side, frame)
        guard !paths[path].isSilent, !generator.chance(faults.drop) else { return }
        for _ in 0..<(generator.chance(faults.duplicate) ? 2 : 1) {
            order += 1
            let late = faults.jitter == 0 ? 0 : Int.random(in: 0...faults.jitter, using: &generator)
            let flight = Flight(
                at: now + paths[path].latency + .milliseconds(late),
                order: order,
                to: side.other,
                path: path,
                link: link,
                frame: frame
            )
            if paths[path].isStalled { stalled.append(flight) } else { flights.append(flight) }
        }
    }

    /// Moves to the next thing that happens, at the latest to `limit`.
    ///
    /// - Returns: False when nothing happens any more.
    @discardableResult
    mutating func step(until limit: ContinuousClock.Instant) -> Bool {
        let flight = flights.indices.min { (flights[$0].at, flights[$0].order) < (flights[$1].at, flights[$1].order) }
        let deadlines = Side.allCases.compactMap { self[$0].engine.nextDeadline(after: now) }
        let next = (deadlines + (flight.map { [flights[$0].at] } ?? [])).min()
        guard let next, next <= limit else {
            now = limit
            settle()
            return false
        }
        now = max(now, next)
        if let flight, flights[flight].at <= now {
            let arrived = flights.remove(at: flight)
            if paths[arrived.path].link == arrived.link, !paths[arrived.path].isSilent {
                self[arrived.to].receive(arrived.frame, on: arrived.link, now: now)
            }
        }
        settle()
        return true
    }

    mutating func run(for duration: Duration) {
        let limit = now + duration
        while step(until: limit) {}
    }

    /// Runs until `isDone`.
    ///
    /// - Returns: How long it took; nil when it was not done within `limit`.
    mutating func run(within limit: Duration, until isDone: (SessionSimulation) -> Bool) -> Duration? {
        let began = now
        while !isDone(self) {
            guard step(until: began + limit) else { return isDone(self) ? now - began : nil }
        }
        return now - began
    }
}
