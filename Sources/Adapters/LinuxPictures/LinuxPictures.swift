package import Capabilities
package import Kernel
import PictureWire
package import Pictures
import Synchronization

/// Pictures read and written by libvips, in a program of its own (`tandem-pictures`) that holds nothing else. A picture that takes it over
/// or brings it down costs that picture.
package final class LinuxPictures: PictureEncoder, PhotoEncoder {
    package struct Limits: Hashable, Sendable {
        /// The longest time for one picture, from the moment when its turn comes.
        package var patience = Duration.seconds(30)
        /// How long the program stays when nothing is asked.
        package var idle = Duration.seconds(30)
        /// Pictures that wait or are under way.
        package var waiting = 64

        package init() {}
    }

    /// Pictures of one device that wait.
    private static let deviceWaitingLimit = 16
    private static let thumbnailQuality = 70

    private let limits: Limits
    private let work: BlockingWork
    private let warm: WarmProgram
    private let underWay = Mutex(0)

    /// - Parameter program: The path of `tandem-pictures`; nil: beside the running program.
    package init(program: String? = nil, limits: Limits = Limits(), time: any TimeSource = .system) {
        self.limits = limits
        // One large picture in memory at a time is enough.
        work = BlockingWork(
            "tandem.pictures",
            width: 1,
            deviceWidth: 1,
            deviceWaitingLimit: Self.deviceWaitingLimit,
            urgency: .bulk
        )
        warm = WarmProgram(program ?? PictureTool.path(), limits: limits, time: time, work: work)
    }

    /// The number of the program that waits for pictures; nil where none does.
    package var idleProcess: Int32? { warm.idleProcess }

    // MARK: Pictures

    package func dimensions(of picture: [UInt8]) async throws -> PictureDimensions {
        try await header(of: picture).dimensions
    }

    /// What the picture's header claims.
    ///
    /// - Throws: ``PictureError``, `CancellationError`.
    package func header(of picture: [UInt8]) async throws -> (dimensions: PictureDimensions, pages: Int) {
        let answer = try await ask(.header, picture)
        return (answer.dimensions, max(1, answer.pages))
    }

    package func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture {
        let quality = format == .jpeg ? min(max(quality, 1), 100) : nil
        let width = min(max(maxWidth ?? PictureRequest.pixelLimitLimit, 1), PictureRequest.pixelLimitLimit)
        return try await ask(.encoded(jpegQuality: quality, maxWidth: width), picture).encoded(as: format)
    }

    package func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        guard byteLimit > 0 else { throw PictureError.doesNotFit(bytes: byteLimit) }
        let wish = PictureRequest.Wish.photo(byteLimit: min(byteLimit, PictureRequest.pictureLimit))
        return try await ask(wish, picture, pixelLimit: pixelLimit).encoded(as: .jpeg)
    }

    package func thumbnail(
        of picture: [UInt8],
        longEdge: Int,
        pixelLimit: Int
    ) async throws -> PictureThumbnail {
        let edge = min(max(longEdge, 1), PictureRequest.sideLimit)
        let wish = PictureRequest.Wish.thumbnail(longEdge: edge, jpegQuality: Self.thumbnailQuality)
        let answer = try await ask(wish, picture, pixelLimit: pixelLimit)
        guard let hash = BlurHash(answer.text) else { throw PictureAnswer.nonsense }
        return PictureThumbnail(picture: try answer.encoded(as: .jpeg), blurHash: hash.text)
    }

    /// 8-bit grey pixels of the first page, row by row without padding, upright, neither edge longer than `side`, 1 to 4096.
    ///
    /// - Throws: ``PictureError``, `CancellationError`.
    package func grey(
        of picture: [UInt8],
        side: Int
    ) async throws -> (dimensions: PictureDimensions, pixels: [UInt8]) {
        let answer = try await ask(.grey(side: min(max(side, 1), PictureRequest.sideLimit)), picture)
        return (answer.dimensions, try answer.pixels(of: 1))
    }

    /// Red, green and blue of sRGB for each pixel of the first page, row by row without padding, upright, on white, neither edge longer than
    /// `side`, 1 to 4096.
    ///
    /// - Throws: ``PictureError``, `CancellationError`.
    package func colour(
        of picture: [UInt8],
        side: Int
    ) async throws -> (dimensions: PictureDimensions, pixels: [UInt8]) {
        let answer = try await ask(.colour(side: min(max(side, 1), PictureRequest.sideLimit)), picture)
        return (answer.dimensions, try answer.pixels(of: 3))
    }

    /// A PNG with one bit a pixel.
    ///
    /// - Parameter pixels: 0 or 255 each, row by row, `width` × `height` of them, at most 64 MiB.
    /// - Throws: ``PictureError``, `CancellationError`.
    package func bilevelPNG(of pixels: [UInt8], width: Int, height: Int) async throws -> [UInt8] {
        try await ask(.bilevelPNG(width: width, height: height), pixels).encoded(as: .png).bytes
    }

    // MARK: The program

    /// Whether the program is there, works, and is kept in, for `tandem doctor`.
    package func check() async -> DoctorCheck {
        await DoctorCheck.finding("Pictures") {
            guard let (hello, version) = try await run({ [warm] in try warm.greeting() }) else {
                throw PictureAnswer.nonsense
            }
            let isKeptIn = hello.confinement.contains(.systemCalls)
            let detail =
                "read by libvips \(version) in a program of its own"
                + (isKeptIn
                    ? " that opens no file and reaches no network"
                    : "; this system gives it no filter of system calls, so only its limits keep it in")
            return (detail, isKeptIn ? "picturesRead" : "picturesReadOpenly", ["version": .string(version)])
        }
    }

    private func ask(
        _ wish: PictureRequest.Wish,
        _ picture: [UInt8],
        pixelLimit: Int = PictureError.pixelLimit
    ) async throws -> PictureAnswer {
        guard picture.count <= PictureRequest.pictureLimit else {
            throw PictureError.fileTooLarge(limit: PictureRequest.pictureLimit)
        }
        let pixels = min(max(pixelLimit, 1), PictureRequest.pixelLimitLimit)
        guard let request = PictureRequest(wish, pixelLimit: pixels, byteCount: picture.count) else {
            throw PictureError.notEncoded(reason: "its size is out of bounds")
        }
        let (reply, text, bytes) = try await run { [warm] in try warm.exchange(request, picture) }
        return try PictureAnswer(reply, text: text, bytes: bytes, to: request)
    }

    /// Runs `body` on the thread that waits for the program, in its turn.
    private func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try underWay.withLock { count in
            guard count < limits.waiting else { throw PictureError.busy }
            count += 1
        }
        defer { underWay.withLock { $0 -= 1 } }
        do {
            return try await work.run(body)
        } catch is BlockingWorkError {
            throw PictureError.busy
        }
    }
}
