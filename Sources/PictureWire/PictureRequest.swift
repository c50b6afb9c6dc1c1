/// A request to the picture program: this header, then ``byteCount`` bytes of a picture. Source: `docs/architecture.md`, "Pictures".
package struct PictureRequest: Hashable, Sendable {
    /// The wanted result.
    package enum Wish: Hashable, Sendable {
        /// What the picture's header claims. No pixel is decoded.
        case header
        /// The first page, upright and without metadata: a PNG, or a JPEG of the quality 1 to 100.
        case encoded(jpegQuality: Int?, maxWidth: Int)
        /// 8-bit grey pixels of the first page, row by row without padding, upright, neither edge longer than `side`.
        case grey(side: Int)
        /// Red, green and blue of sRGB for each pixel of the first page, row by row without padding, upright, on white, neither edge longer
        /// than `side`.
        case colour(side: Int)
        /// A PNG with one bit a pixel. The request's bytes are pixels, 0 or 255, one byte each.
        case bilevelPNG(width: Int, height: Int)
        /// A JPEG of at most `byteLimit` bytes, upright and without metadata, made smaller until it fits.
        case photo(byteLimit: Int)
        /// A JPEG, upright and without metadata, neither edge longer than `longEdge`, and its BlurHash as the reply's text.
        case thumbnail(longEdge: Int, jpegQuality: Int)
    }

    /// The largest picture in bytes.
    package static let pictureLimit = 64 << 20
    /// The longest edge of a result, in pixels: JPEG has no longer one.
    package static let edgeLimit = 65_500
    /// The longest edge of grey or coloured pixels and of a thumbnail, in pixels.
    package static let sideLimit = 4096
    /// The largest ``pixelLimit``.
    package static let pixelLimitLimit = 64_000_000
    /// Bytes of a header.
    package static let size = 28
    /// "TPQ" and the version of the frames.
    private static let magic: [UInt8] = [0x54, 0x50, 0x51, 1]
    /// Room for what a format adds to its pixels.
    private static let formatAllowance = 64 << 10

    package let wish: Wish
    /// The largest width × height that is decoded, 1 to ``pixelLimitLimit``.
    package let pixelLimit: Int
    /// Bytes that follow, 0 to ``pictureLimit``.
    package let byteCount: Int

    /// - Returns: Nil where a number is out of its bounds.
    package init?(_ wish: Wish, pixelLimit: Int = pixelLimitLimit, byteCount: Int) {
        guard (0...Self.pictureLimit).contains(byteCount), (1...Self.pixelLimitLimit).contains(pixelLimit),
            Self.isBounded(wish, byteCount: byteCount)
        else { return nil }
        self.wish = wish
        self.pixelLimit = pixelLimit
        self.byteCount = byteCount
    }

    /// - Returns: Nil for anything that ``bytes`` does not make.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic), bytes[5...7].allSatisfy({ $0 == 0 }) else {
            return nil
        }
        let numbers = (0..<5).map { BigEndian.number(in: bytes, at: 8 + 4 * $0) }
        let (first, second) = (numbers[0], numbers[1])
        let wish: Wish
        switch bytes[4] {
        case 1 where first == 0 && second == 0: wish = .header
        case 2: wish = .encoded(jpegQuality: first == 0 ? nil : first, maxWidth: second)
        case 3 where second == 0: wish = .grey(side: first)
        case 4: wish = .bilevelPNG(width: first, height: second)
        case 5 where second == 0: wish = .photo(byteLimit: first)
        case 6: wish = .thumbnail(longEdge: first, jpegQuality: second)
        case 7 where second == 0: wish = .colour(side: first)
        default: return nil
        }
        guard numbers[4] == 0 else { return nil }
        self.init(wish, pixelLimit: numbers[2], byteCount: numbers[3])
    }

    /// The header as it is sent.
    package var bytes: [UInt8] {
        let (operation, first, second): (UInt8, Int, Int) =
            switch wish {
            case .header: (1, 0, 0)
            case .encoded(let quality, let maxWidth): (2, quality ?? 0, maxWidth)
            case .grey(let side): (3, side, 0)
            case .bilevelPNG(let width, let height): (4, width, height)
            case .photo(let byteLimit): (5, byteLimit, 0)
            case .thumbnail(let longEdge, let quality): (6, longEdge, quality)
            case .colour(let side): (7, side, 0)
            }
        var bytes = Self.magic + [operation, 0, 0, 0]
        for number in [first, second, pixelLimit, byteCount, 0] { BigEndian.append(number, to: &bytes) }
        return bytes
    }

    /// The largest result in bytes that an honest program answers with.
    package var replyLimit: Int {
        switch wish {
        case .header: 0
        // Uncompressed pixels of four bytes, with a byte of filter before each row of a picture one pixel wide.
        case .encoded: pixelLimit * 5 + Self.formatAllowance
        case .grey(let side): side * side
        case .colour(let side): side * side * 3
        case .bilevelPNG(let width, let height): width * height + height + Self.formatAllowance
        case .photo(let byteLimit): byteLimit
        case .thumbnail(let longEdge, _): longEdge * longEdge * 3 + Self.formatAllowance
        }
    }

    private static func isBounded(_ wish: Wish, byteCount: Int) -> Bool {
        switch wish {
        case .header: true
        case .encoded(let quality, let maxWidth):
            (quality.map((1...100).contains) ?? true) && (1...pixelLimitLimit).contains(maxWidth)
        case .grey(let side), .colour(let side): (1...sideLimit).contains(side)
        case .bilevelPNG(let width, let height):
            (1...edgeLimit).contains(width) && (1...edgeLimit).contains(height) && width * height == byteCount
        case .photo(let byteLimit): (1...pictureLimit).contains(byteLimit)
        case .thumbnail(let longEdge, let quality):
            (1...sideLimit).contains(longEdge) && (1...100).contains(quality)
        }
    }
}
