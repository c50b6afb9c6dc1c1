import Files

extension FuzzTarget {
    /// The part of a file that a browser asks for: inside of the file and not empty, or none.
    static let byteRange = FuzzTarget(name: "byte-range") { bytes in
        guard let field = ByteRangeField(String(decoding: bytes, as: UTF8.self)) else { return }
        for size in [0, 1, 499, 1 << 50, .max] as [Int64] {
            guard let range = field.range(of: size) else { continue }
            guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= size else {
                finding("a part that lies outside of its file")
            }
        }
    }
}
