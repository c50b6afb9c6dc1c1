import Glibc
import PictureWire

/// The steps by which a photo is made to fit: its quality first, then its size.
enum PhotoLadder {
    /// JPEG qualities, best first.
    private static let qualities = [80, 70, 60, 50, 40, 30, 20]
    private static let lowest = qualities.count - 1
    /// The long edge of each size beside the one before, where the lowest quality did not fit.
    private static let shrinking = 0.85
    /// Results that have so many times the wanted bytes are far from fitting: sizes between are passed over.
    private static let farAway = 4.0

    /// A try with the qualities at one size.
    private enum Attempt: ~Copyable {
        case fits(PictureResult)
        /// - Parameter bytes: Of the lowest quality.
        case tooLarge(bytes: Int)
    }

    /// The first size that fits, in the best quality that does.
    ///
    /// - Parameter limit: In bytes.
    static func result(for picture: borrowing DecodedPicture, within limit: Int) throws(VipsFailure) -> PictureResult {
        var tooLarge: Int
        // Most photos fit as they are.
        switch try attempt(picture, within: limit, startingAt: 0) {
        case .fits(let result): return result
        case .tooLarge(let bytes): tooLarge = bytes
        }
        var edge = max(picture.width, picture.height)
        while edge > 1 {
            for _ in 0..<steps(from: tooLarge, to: limit) {
                edge = max(1, min(edge - 1, Int(Double(edge) * shrinking)))
            }
            switch try attempt(try picture.shrunk(to: edge), within: limit, startingAt: lowest) {
            case .fits(let result): return result
            case .tooLarge(let bytes): tooLarge = bytes
            }
        }
        return PictureResult(PictureReply(.doesNotFit))
    }

    /// How many sizes to go down: one, or half of those after which the pixels would be fewer by as much as the bytes have to be.
    private static func steps(from bytes: Int, to limit: Int) -> Int {
        let ratio = Double(bytes) / Double(limit)
        guard ratio > farAway else { return 1 }
        return max(1, Int(log(ratio) / (-2 * log(shrinking)) / 2))
    }

    /// Finds the first quality that fits, without trying those whose outcome is known: a lower quality has no more bytes.
    ///
    /// - Parameter first: The quality that is tried first, the highest or the lowest.
    private static func attempt(
        _ picture: borrowing DecodedPicture,
        within limit: Int,
        startingAt first: Int
    ) throws(VipsFailure) -> Attempt {
        var best = VipsMemory(nil, count: 0)
        // Indices of the last quality that is too large, and of the first that is known to fit.
        var (tooLarge, fitting) = (-1, qualities.count)
        var (next, bytes) = (first, 0)
        while tooLarge + 1 < fitting {
            let jpeg = try picture.jpeg(quality: qualities[next])
            bytes = jpeg.count
            if bytes <= limit {
                best = jpeg
                fitting = next
            } else {
                tooLarge = next
            }
            // The lowest quality says whether this size fits at all.
            next = fitting == qualities.count ? lowest : (tooLarge + fitting) / 2
        }
        guard fitting < qualities.count else { return .tooLarge(bytes: bytes) }
        return .fits(PictureResult(width: picture.width, height: picture.height, best))
    }
}
