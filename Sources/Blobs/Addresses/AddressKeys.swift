package import Foundation
package import Kernel
import Sealing
import Synchronization
import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The keys by which a feature signs the addresses of its blobs, in a file of its folder (0600). Two are known at a time: new addresses are signed
/// by the newer one, and the older one lives as long as addresses that it signed may.
package final class AddressKeys: Sendable {
    /// The age of the newer key from which on it is replaced.
    package static let lifetime: TimeInterval = 30 * 24 * 3600
    private static let fileName = "address-keys.json"
    private static let fileLimit = 4096
    private static let keySize = 32

    private struct Kept: Codable {
        var id: String
        var key: String
        var madeAt: Int64
    }

    private let folder: HeldFolder
    private let time: any TimeSource
    private let work = BlockingWork("address keys", width: 1)
    /// The newer one first.
    private let keys: Mutex<[AddressKey]>

    /// Reads the keys, and makes the first one. Blocks.
    ///
    /// Keys that other users could read are replaced: addresses that they signed count no more.
    ///
    /// - Parameter url: The feature's folder.
    /// - Throws: `StateFolderError`, `FileError`; ``BlobError/failed(reason:)`` for a file that is damaged.
    package init(_ url: URL, time: any TimeSource = .system) throws {
        try StateFolder.makeClosedFolder(url)
        folder = try HeldFolder.open(url.path)
        self.time = time
        var known = try Self.read(folder)
        if known.isEmpty {
            known = [Self.make(after: nil, at: time.date)]
            try Self.write(known, folder)
        }
        keys = Mutex(known)
    }

    /// The key that new addresses are signed by.
    var current: AddressKey? { keys.withLock(\.first) }

    /// Nil for one that is not known, or not any more.
    func key(_ id: String) -> AddressKey? { keys.withLock { $0.first { $0.id == id } } }

    /// Makes a new key. Addresses that the one before signed are good until they expire; those of older ones are not.
    ///
    /// - Throws: `FileError`, and all stays as it was.
    package func rotate() async throws {
        try await work.finish { [self] in try rotateNow() }
    }

    private func rotateNow() throws {
        let date = time.date
        let known = keys.withLock(\.self)
        let next = [Self.make(after: known.first, at: date)] + known.prefix(1)
        try Self.write(next, folder)
        keys.withLock { $0 = next }
    }

    /// Replaces the key when it is old, until its task is cancelled.
    ///
    /// - Parameter failed: Told of an error; the next hour tries again.
    package func run(failed: @Sendable (any Error) -> Void) async {
        repeat {
            do {
                try await rotateIfOld()
            } catch {
                failed(error)
            }
        } while await time.pause(for: .seconds(3600))
    }

    /// - Throws: As ``rotate()``.
    package func rotateIfOld() async throws {
        let date = time.date
        guard let current, date.timeIntervalSince1970 - Double(current.madeAt) > Self.lifetime else { return }
        try await rotate()
    }

    private static func make(after last: AddressKey?, at date: Date) -> AddressKey {
        let number = last.flatMap { Int64($0.id) } ?? 0
        return AddressKey(
            id: String(number + 1),
            bytes: RandomBytes.make(keySize),
            madeAt: Int64(date.timeIntervalSince1970)
        )
    }

    private static func read(_ folder: HeldFolder) throws -> [AddressKey] {
        guard try folder.status(of: fileName) != nil else { return [] }
        let file = try folder.file(fileName, O_RDONLY)
        guard try !file.closeToOthers() else { return [] }
        do {
            let kept = try JSONDecoder().decode([Kept].self, from: Data(try file.read(at: 0, count: fileLimit)))
            return try kept.prefix(2).map { kept in
                guard let bytes = Base64URL.decode(kept.key), bytes.count == keySize, Int64(kept.id) != nil else {
                    throw CocoaError(.coderReadCorrupt)
                }
                return AddressKey(id: kept.id, bytes: bytes, madeAt: kept.madeAt)
            }
        } catch is DecodingError, is CocoaError {
            throw BlobError.failed(reason: "\(file.path) is damaged. Remove it: addresses are signed anew then.")
        }
    }

    /// Writes the file whole or not at all.
    private static func write(_ keys: [AddressKey], _ folder: HeldFolder) throws {
        let kept = keys.map { Kept(id: $0.id, key: Base64URL.encode($0.bytes), madeAt: $0.madeAt) }
        let partial = fileName + ".new"
        try folder.remove(partial)
        let file = try folder.file(partial, O_RDWR | O_CREAT | O_EXCL)
        try file.write(ArraySlice(try JSONEncoder().encode(kept)), at: 0)
        try file.synchronize()
        try folder.rename(partial, to: fileName, in: folder)
    }
}
