import Foundation
package import Kernel

/// Keeps a phone's standing on disk, and tells who has to begin or end by it.
package final class StandingKeeper: Sendable {
    package static let fileName = "standing.json"
    private static let byteLimit = 64 << 10

    private let url: URL?
    private let latest: LatestValue<PhoneStanding>
    /// One change at a time, each on disk before it is told.
    private let work = BlockingWork("tandem.standing", width: 1)

    /// - Parameter folder: The phone's; nil for a state in memory.
    /// - Throws: ``PhoneStandingError/unreadable(path:)``: a phone that cannot tell whether it is retired does not begin.
    package init(_ folder: StateFolder?) throws {
        url = folder?.url.appending(path: Self.fileName)
        guard let url, FileManager.default.fileExists(atPath: url.path) else {
            latest = LatestValue(.active)
            return
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }  // it only read
            let bytes = try handle.read(upToCount: Self.byteLimit) ?? Data()
            latest = LatestValue(try JSONDecoder().decode(PhoneStanding.self, from: bytes))
        } catch {
            throw PhoneStandingError.unreadable(path: url.path)
        }
    }

    package var value: PhoneStanding { latest.value }

    package func values() -> AsyncStream<PhoneStanding> { latest.values() }

    /// - Throws: What `change` throws, and nothing has changed then; what the disk says.
    @discardableResult
    package func change(
        _ change: @escaping @Sendable (PhoneStanding) throws -> PhoneStanding
    ) async throws -> PhoneStanding {
        try await work.finish { [latest, url] in
            let next = try change(latest.value)
            guard next != latest.value else { return next }
            if let url {
                try DurableFiles.write(try next.stored, to: url)
            }
            latest.set(next)
            return next
        }
    }

    /// Returns once the phone has to rest, or when the task is cancelled.
    package func untilResting() async {
        for await standing in latest.values() where standing.rests { return }
    }
}

extension PhoneStanding {
    /// The bytes of its file.
    var stored: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return Array(try encoder.encode(self))
        }
    }
}
