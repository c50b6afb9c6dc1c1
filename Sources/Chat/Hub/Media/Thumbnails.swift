import Blobs
import Foundation
import GRDB
import Kernel
import Logging
import Metrics
import Pictures

/// Thumbnails and BlurHashes of pictures, made in the background one after the other: no message waits for one. What is to be made stands in the
/// database, so nothing piles up in memory and nothing is forgotten by a restart.
final class Thumbnails: Sendable {
    /// Pixels of the longer edge.
    static let edge = 320
    /// How long the program that reads pictures is left alone when it does not work.
    private static let pause: Duration = .seconds(600)

    private let database: any DatabaseWriter
    private let encoder: (any PhotoEncoder)?
    private let time: any TimeSource
    private let logger: Logger
    private let wanted = LatestValue(0)

    /// - Parameters:
    ///   - database: With the tables of ``ThumbnailTable``.
    ///   - encoder: Nil for a hub that makes none.
    init(_ database: any DatabaseWriter, encoder: (any PhotoEncoder)?, time: any TimeSource, logger: Logger) {
        self.database = database
        self.encoder = encoder
        self.time = time
        self.logger = logger
    }

    /// A picture came.
    func look() { wanted.update { $0 += 1 } }

    /// Makes what is wanted, until its task is cancelled.
    func run(over store: BlobStore) async {
        guard let encoder else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while await time.pause(for: Self.pause) { look() }
            }
            group.addTask { [self] in
                for await _ in wanted.values() {
                    while !Task.isCancelled, await makeNext(by: encoder, of: store) {}
                }
            }
        }
    }

    /// - Returns: Whether there may be more to do now.
    private func makeNext(by encoder: any PhotoEncoder, of store: BlobStore) async -> Bool {
        do {
            guard let text = try await database.read({ try ThumbnailTable.next(in: $0) }) else { return false }
            do {
                guard let key = BlobKey(text) else { throw PictureError.notAPicture }
                let picture = try await store.open(key).bytes()
                let made = try await encoder.thumbnail(
                    of: picture,
                    longEdge: Self.edge,
                    pixelLimit: ChatMedia.pixelLimit
                )
                try await database.write {
                    try ThumbnailTable.keep(made.picture.bytes, made.blurHash, of: text, in: $0)
                }
                Counter(label: "chat_thumbnails_made").increment()
            } catch let error where Self.isOfPicture(error) {
                try await database.write { try ThumbnailTable.giveUp(text, in: $0) }
                Counter(label: "chat_thumbnails_failed").increment()
            }
            return true
        } catch is CancellationError {
            return false
        } catch {
            // The program is missing or busy, or the disk is full: the picture waits.
            logger.notice("a thumbnail was not made", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Whether another try with the same picture would end in the same way.
    private static func isOfPicture(_ error: any Error) -> Bool {
        switch error {
        case let error as PictureError: error.isOfPicture
        case BlobError.unknownObject: true
        default: false
        }
    }

    /// The BlurHashes of those pictures that have a thumbnail.
    func blurHashes(of keys: [String]) async throws -> [String: String] {
        guard !keys.isEmpty else { return [:] }
        return try await database.read { database in
            var found: [String: String] = [:]
            for key in keys { found[key] = try ThumbnailTable.blurHash(of: key, in: database) }
            return found
        }
    }

    /// Nil where there is none, or none yet.
    func jpeg(of key: String) async throws -> [UInt8]? {
        try await database.read { try ThumbnailTable.jpeg(of: key, in: $0) }
    }
}

extension OpenBlob {
    /// All of it: its kind bounds how much that is.
    fileprivate func bytes() async throws -> [UInt8] {
        let next = pieces(0..<object.size)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(object.size))
        while let piece = try await next() { bytes += piece }
        return bytes
    }
}
