package import Transfers

/// Width and height of a picture in pixels, as its header says them: read before anything decodes the picture.
package struct PictureSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package var pixels: Int64 { Int64(width) * Int64(height) }

    /// Nil where a side is 0 or above 65,535: no format of the list has use for more.
    init?(_ width: Int, _ height: Int) {
        guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Reads a few hundred bytes at a few places, wherever those lie in the file.
    ///
    /// - Parameter type: As sniffed.
    /// - Returns: Nil for what is no picture, and where its header says no size.
    /// - Throws: What reading throws.
    package static func read(_ file: any ReadableFile, _ type: MediaType) throws -> PictureSize? {
        let size = try file.status().size
        switch type {
        case .png: return png(try file.read(at: 0, count: 24))
        case .gif: return gif(try file.read(at: 0, count: 10))
        case .webp: return webp(try file.read(at: 0, count: 30))
        case .jpeg: return try jpeg(file, size)
        case .heic, .heif, .avif:
            var boxes = PictureBoxes(file: file, size: size)
            return try boxes.largest()
        case .m4a, .aac, .amr, .ogg, .wav, .caf, .mp4, .webm: return nil
        }
    }

    private static func png(_ bytes: [UInt8]) -> PictureSize? {
        guard bytes.count == 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return PictureSize(big(bytes[16..<20]), big(bytes[20..<24]))
    }

    private static func gif(_ bytes: [UInt8]) -> PictureSize? {
        guard bytes.count == 10 else { return nil }
        return PictureSize(little(bytes[6..<8]), little(bytes[8..<10]))
    }

    /// Source: RFC 9649.
    private static func webp(_ bytes: [UInt8]) -> PictureSize? {
        guard bytes.count == 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ":
            guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return PictureSize(little(bytes[26..<28]) & 0x3FFF, little(bytes[28..<30]) & 0x3FFF)
        case "VP8L":
            guard bytes[20] == 0x2F else { return nil }
            let bits = little(bytes[21..<25])
            return PictureSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8X": return PictureSize(little(bytes[24..<27]) + 1, little(bytes[27..<30]) + 1)
        default: return nil
        }
    }

    /// Goes from segment to segment up to the frame's header (ITU-T T.81, B.2.2).
    private static func jpeg(_ file: any ReadableFile, _ size: Int64) throws -> PictureSize? {
        var place: Int64 = 2
        // Metadata of real pictures takes a few dozen segments of 64 KiB.
        for _ in 0..<512 {
            let head = try file.read(at: place, count: 9)
            guard head.count == 9, head[0] == 0xFF else { return nil }
            switch head[1] {
            // A fill byte stands before any marker.
            case 0xFF: place += 1
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return PictureSize(big(head[7..<9]), big(head[5..<7]))
            // Markers without a length.
            case 0x01, 0xD0...0xD8: place += 2
            // The picture's data begins, or it ends, and no size was said.
            case 0xD9, 0xDA: return nil
            default:
                let length = Int64(big(head[2..<4]))
                guard length >= 2 else { return nil }
                place += 2 + length
            }
            guard place < size else { return nil }
        }
        return nil
    }

    static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func little(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
