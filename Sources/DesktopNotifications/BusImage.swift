/// A notification's picture.
package enum BusImage: Hashable, Sendable {
    case pixels(BusPixels)
    /// A path, a `file:` URL or a name of the icon theme. The program's claim: a reader opens only what it would show to
    /// anyone who sees the notification.
    case path(String)
    /// A picture's file as its program sent it. Whether it is a picture shows when it is decoded.
    case file([UInt8])

    /// Bytes of a file that is sent.
    package static let fileLimit = 1 << 20

    /// - Returns: Nil for one that is empty or longer than ``fileLimit``.
    package init?(file bytes: UnsafeRawBufferPointer) {
        guard (1...Self.fileLimit).contains(bytes.count) else { return nil }
        self = .file(Array(bytes))
    }

    /// The memory it takes, in bytes, about.
    package var byteCount: Int {
        switch self {
        case .pixels(let pixels): pixels.bytes.count
        case .path(let path): path.utf8.count
        case .file(let bytes): bytes.count
        }
    }
}

/// Rows of pixels from top to bottom, without gaps: red, green, blue and, where it has them, alpha; eight bits each.
package struct BusPixels: Hashable, Sendable {
    /// Bytes of pixels that are kept.
    package static let byteLimit = 1 << 20
    package static let sideLimit = 4096

    /// 1 to ``sideLimit``.
    package let width: Int
    package let height: Int
    package let hasAlpha: Bool
    /// `width * height` times three or four bytes.
    package let bytes: [UInt8]

    /// Checks a picture in the form of the hint `image-data`, `(iiibiiay)`.
    ///
    /// - Parameters:
    ///   - rowStride: Bytes from the beginning of a row to the next.
    ///   - data: At least all rows, the last one without its gap.
    /// - Returns: Nil for one that has a longer side than ``sideLimit``, or whose numbers do not fit each other. One of more than
    ///   ``byteLimit`` is made smaller.
    package init?(
        width: Int,
        height: Int,
        rowStride: Int,
        hasAlpha: Bool,
        bitsPerSample: Int,
        channels: Int,
        data: UnsafeRawBufferPointer
    ) {
        guard bitsPerSample == 8, channels == (hasAlpha ? 4 : 3) else { return nil }
        guard (1...Self.sideLimit).contains(width), (1...Self.sideLimit).contains(height) else { return nil }
        let row = width * channels
        guard rowStride >= row else { return nil }
        let (gaps, overflows) = (height - 1).multipliedReportingOverflow(by: rowStride)
        guard !overflows, gaps <= data.count, data.count - gaps >= row else { return nil }
        self.hasAlpha = hasAlpha
        guard row * height <= Self.byteLimit else {
            let scale = Self.scale(width: width, height: height, channels: channels)
            (self.width, self.height) = (width / scale, height / scale)
            bytes = Self.smaller(data, rowStride: rowStride, self.width, self.height, channels: channels, by: scale)
            return
        }
        self.width = width
        self.height = height
        guard rowStride > row else {
            bytes = Array(data.prefix(row * height))
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(row * height)
        for index in 0..<height { bytes += data[index * rowStride..<index * rowStride + row] }
        self.bytes = bytes
    }

    package var channels: Int { hasAlpha ? 4 : 3 }

    /// How many pixels of a side become one, so that the picture fits. No side gets lost by it: a picture of more than ``byteLimit`` that is
    /// no longer than ``sideLimit`` has sides of at least 64 pixels, and becomes at most 8 times as small.
    private static func scale(width: Int, height: Int, channels: Int) -> Int {
        var scale = 2
        while (width / scale) * (height / scale) * channels > byteLimit { scale += 1 }
        return scale
    }

    /// Each pixel the mean of a square of them. Colours of pixels that nobody sees do not count.
    private static func smaller(
        _ data: UnsafeRawBufferPointer,
        rowStride: Int,
        _ width: Int,
        _ height: Int,
        channels: Int,
        by scale: Int
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * channels) { buffer, filled in
            for place in 0..<width * height {
                let first = place / width * scale * rowStride + place % width * scale * channels
                var (red, green, blue, weight) = (0, 0, 0, 0)
                for step in 0..<scale * scale {
                    let pixel = first + step / scale * rowStride + step % scale * channels
                    let alpha = channels == 4 ? Int(data[pixel + 3]) : 1
                    red += Int(data[pixel]) * alpha
                    green += Int(data[pixel + 1]) * alpha
                    blue += Int(data[pixel + 2]) * alpha
                    weight += alpha
                }
                let divisor = max(weight, 1)
                buffer[place * channels] = UInt8(red / divisor)
                buffer[place * channels + 1] = UInt8(green / divisor)
                buffer[place * channels + 2] = UInt8(blue / divisor)
                if channels == 4 { buffer[place * 4 + 3] = UInt8(weight / (scale * scale)) }
            }
            filled = buffer.count
        }
    }
}
