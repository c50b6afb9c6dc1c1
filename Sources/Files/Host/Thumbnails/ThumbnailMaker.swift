import Files
package import Kernel
package import Pictures
import Transfers

/// Makes pictures of the shared folders small, and keeps what it made.
package final class ThumbnailMaker: Sendable {
    /// Bytes of a picture that is read.
    private static let pictureLimit: Int64 = 32 << 20
    /// Bytes of a small picture: of those of usual photos ten times as many.
    private static let thumbnailLimit = 128 << 10
    /// The time for one request: what is not made by then is asked for again.
    private static let patience: Duration = .seconds(5)

    private let pictures: any PhotoEncoder
    private let shelf: ThumbnailShelf
    private let time: any TimeSource
    /// The bytes of pictures that are in memory at a time, waiting for their turn included.
    private let window = ByteWindow(size: 2 * Int(pictureLimit))

    package init(_ pictures: any PhotoEncoder, _ shelf: ThumbnailShelf, time: any TimeSource = .system) {
        self.pictures = pictures
        self.shelf = shelf
        self.time = time
    }

    /// When a request that begins now has had its time.
    var end: ContinuousClock.Instant { time.now + Self.patience }

    func isOver(_ end: ContinuousClock.Instant) -> Bool { time.now >= end }

    /// A JPEG of a picture, from the shelf where the file is the same as when it was made.
    ///
    /// - Parameters:
    ///   - edge: Neither edge is longer, in pixels.
    ///   - work: Where what blocks is called.
    ///   - open: Opens the file, also where the picture is known: who may not read it learns nothing of it.
    /// - Throws: `PictureError`, `FileError`, `TransferError`, `CancellationError`.
    func thumbnail(
        edge: Int,
        on work: BlockingWork,
        opening open: @escaping @Sendable () throws -> any ReadableFile
    ) async throws -> [UInt8] {
        let (file, status, known) = try await work.run { [shelf] in
            let file = try open()
            let status = try file.status()
            return (file, status, shelf[Self.key(status, edge)])
        }
        switch known {
        case .picture(let bytes)?: return bytes
        case .none?: throw PictureError.notAPicture
        case nil: break
        }
        guard status.size > 0 else { throw PictureError.notAPicture }
        guard status.size <= Self.pictureLimit else {
            throw PictureError.fileTooLarge(limit: Int(Self.pictureLimit))
        }
        return try await window.with(Int(status.size)) {
            try await make(file, status, edge: edge, on: work)
        }
    }

    private func make(_ file: any ReadableFile, _ status: FileStatus, edge: Int, on work: BlockingWork) async throws
        -> [UInt8]
    {
        let picture = try await work.run {
            let bytes = try file.read(at: 0, count: Int(status.size))
            guard Int64(bytes.count) == status.size, try file.status().version == status.version else {
                throw TransferError.sourceChanged("The picture")
            }
            return bytes
        }
        let key = Self.key(status, edge)
        do {
            let made = try await pictures.thumbnail(of: picture, longEdge: edge, pixelLimit: PictureError.pixelLimit)
            let bytes = made.picture.bytes
            guard bytes.count <= Self.thumbnailLimit else { throw PictureError.doesNotFit(bytes: Self.thumbnailLimit) }
            try await work.run { [shelf] in shelf.keep(.picture(bytes), as: key) }
            return bytes
        } catch let error as PictureError where error.isOfPicture {
            // One that takes the program long, or brings it down, does so once.
            try await work.run { [shelf] in shelf.keep(.none, as: key) }
            throw error
        }
    }

    private static func key(_ status: FileStatus, _ edge: Int) -> String { "\(status.version)-\(edge)" }
}
