import Foundation
import Kernel
import SignalingServer

/// How busy a hub is. A page asks for it once, and is then told each second by the topic `load`; the members' names are those of both.
package struct HubLoad: Codable, Hashable, Sendable {
    /// One moment. Rates are over the time since the moment before, at most some seconds.
    package struct Sample: Codable, Hashable, Sendable {
        /// Milliseconds since 1970.
        package var at: Int64
        package var connections: Int
        package var framesPerSecond: Double
        package var bytesPerSecond: Double
        package var refusedPerSecond: Double
        /// Bytes that wait for readers that are behind, and of messages that have not arrived whole.
        package var outgoingBytes: Int
        package var arrivalBytes: Int
        /// Frames that are kept for devices that are away.
        package var mailboxFrames: Int
        package var idsKnown: Int
        /// The memory of the process; nil where the system does not tell.
        package var memoryBytes: Int64?
        /// Part of one core.
        package var cpu: Double
        package var descriptors: Int?
        package var diskUsedBytes: Int64?
        package var diskFreeBytes: Int64?
    }

    /// The limits of the hub.
    package struct Limits: Codable, Hashable, Sendable {
        package var connections: Int
        package var outgoingBytes: Int
        package var idsKnown: Int
        package var descriptors: Int
    }

    /// The figures to answer beside the current ones.
    package struct Query: Codable, Hashable, Sendable {
        /// Also the last minutes.
        package var history: Bool?

        package init(history: Bool? = nil) { self.history = history }
    }

    package var startedAt: Int64
    package var now: Sample
    package var limits: Limits
    /// The last five minutes, the oldest first; nil unless it was asked for.
    package var history: [Sample]?
}

/// Takes samples of a hub's load. Rates come from the sample before, so each reader has its own meter.
actor HubMeter {
    private struct Past {
        let at: ContinuousClock.Instant
        let load: ServerLoad
        let processor: Double
    }

    private let server: SignalingServer
    private let folder: URL
    private let time: any TimeSource
    private var past: Past?

    init(server: SignalingServer, folder: URL, time: any TimeSource) {
        self.server = server
        self.folder = folder
        self.time = time
    }

    /// Nil while the server does not listen.
    func sample() async throws -> HubLoad.Sample? {
        guard let load = server.load else { return nil }
        let stored = try await server.storedFrames()
        let (now, processor) = (time.now, Self.processorSeconds())
        let before = past ?? Past(at: now, load: load, processor: processor)
        past = Past(at: now, load: load, processor: processor)
        let seconds = max((now - before.at) / .seconds(1), 0.001)
        func rate(_ count: KeyPath<ServerLoad, Int>) -> Double {
            (Double(load[keyPath: count] - before.load[keyPath: count]) / seconds).rounded()
        }
        let disk = disk()
        return HubLoad.Sample(
            at: time.date.millisecondsSince1970,
            connections: load.connectionsOpen,
            framesPerSecond: rate(\.framesForwarded),
            bytesPerSecond: rate(\.bytesForwarded),
            refusedPerSecond: rate(\.framesRefused) + rate(\.connectionsRefused),
            outgoingBytes: load.outgoingBytes,
            arrivalBytes: load.arrivingBytes,
            mailboxFrames: stored,
            idsKnown: load.idsKnown,
            memoryBytes: Self.residentBytes(),
            cpu: max(0, processor - before.processor) / seconds,
            descriptors: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count,
            diskUsedBytes: disk.used,
            diskFreeBytes: disk.free
        )
    }

    private func disk() -> (used: Int64?, free: Int64?) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        let sizes = names.compactMap { name in
            (try? files.attributesOfItem(atPath: folder.appending(path: name).path))?[.size] as? NSNumber
        }
        let system = try? files.attributesOfFileSystem(forPath: folder.path)
        return (
            sizes.isEmpty ? nil : sizes.reduce(0) { $0 + $1.int64Value },
            (system?[.systemFreeSize] as? NSNumber)?.int64Value
        )
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        // RUSAGE_SELF is not imported with the type that the function takes.
        getrusage(__rusage_who_t(0), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    private static func residentBytes() -> Int64? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
        else { return nil }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
