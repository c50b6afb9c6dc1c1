import Transfers

/// Boxes of a HEIF or AVIF file on the way to its pictures' sizes: `meta`, `iprp`, `ipco`, and in there an `ispe` for each picture (ISO/IEC
/// 23008-12, 6.5.3).
struct PictureBoxes {
    /// Boxes that are looked at in one file.
    private static let limit = 1024

    let file: any ReadableFile
    let size: Int64
    private var seen = 0

    init(file: any ReadableFile, size: Int64) {
        self.file = file
        self.size = size
    }

    /// The largest of the sizes: thumbnails and tiles have theirs, too.
    mutating func largest() throws -> PictureSize? {
        guard let meta = try find("meta", in: 0..<size),
            // `meta` has four bytes of version and flags before its boxes.
            let properties = try find("iprp", in: min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound),
            let container = try find("ipco", in: properties)
        else { return nil }
        var largest: PictureSize?
        let file = file
        try walk(container) { name, content in
            guard name == "ispe", content.count >= 12 else { return true }
            let bytes = try file.read(at: content.lowerBound + 4, count: 8)
            guard bytes.count == 8, let found = PictureSize(PictureSize.big(bytes[..<4]), PictureSize.big(bytes[4...]))
            else { return true }
            if found.pixels > largest?.pixels ?? 0 { largest = found }
            return true
        }
        return largest
    }

    private mutating func find(_ wanted: String, in range: Range<Int64>) throws -> Range<Int64>? {
        var found: Range<Int64>?
        try walk(range) { name, content in
            if name == wanted { found = content }
            return found == nil
        }
        return found
    }

    /// - Parameter body: Told each box's name and where its content lies; says whether to go on.
    private mutating func walk(_ range: Range<Int64>, _ body: (String, Range<Int64>) throws -> Bool) throws {
        var place = range.lowerBound
        while place <= range.upperBound - 8, seen < Self.limit {
            seen += 1
            let head = try file.read(at: place, count: 16)
            guard head.count >= 8 else { return }
            var header: Int64 = 8
            var length = Int64(PictureSize.big(head[..<4]))
            switch length {
            // To the end of the file.
            case 0: length = range.upperBound - place
            case 1:
                guard head.count == 16, head[8] < 0x40 else { return }
                header = 16
                length = Int64(PictureSize.big(head[8..<16]))
            default: break
            }
            guard length >= header, length <= range.upperBound - place else { return }
            let name = String(decoding: head[4..<8], as: UTF8.self)
            guard try body(name, place + header..<place + length) else { return }
            place += length
        }
    }
}
