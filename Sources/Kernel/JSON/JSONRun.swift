/// Runs of bytes that mean themselves in a JSON string: most of any text.
enum JSONRun {
    /// Bytes from `start` on up to the next quote, backslash or control character, looked at eight at a time.
    @inline(__always)
    static func plainCount(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let end = bytes.count
        var position = start
        while position &+ 8 <= end {
            let run = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let quotes = run ^ 0x2222_2222_2222_2222
            let backslashes = run ^ 0x5C5C_5C5C_5C5C_5C5C
            let ones: UInt64 = 0x0101_0101_0101_0101
            let found =
                (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
                | (run &- 0x2020_2020_2020_2020) & ~run
            guard found & 0x8080_8080_8080_8080 == 0 else { break }
            position &+= 8
        }
        while position < end {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            position &+= 1
        }
        return position - start
    }
}
