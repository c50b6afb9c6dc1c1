/// The parts of a file that are not stored and read as zeros: disk images have many. They are told instead of sent.
package enum FileHoles {
    /// Holes of a file that are told; those that are left over are sent as zeros.
    package static let limit = 256
    /// Holes begin and end at multiples of so many bytes, so that what lies between them goes in whole parts.
    package static let block: Int64 = 1 << 20
    /// Bytes of all holes of a file that a device believes another one. Zeros cost no room on a disk, and are read for the checksum all the
    /// same: nobody shall keep a thread busy for days with a word.
    package static let byteLimit: Int64 = 256 << 30

    /// Holes as another device says them, as far as they are believed.
    ///
    /// - Parameter size: The file's, in bytes.
    /// - Returns: Nil where they do not lie in the file.
    package static func believed(_ holes: ByteRanges, in size: Int64) -> ByteRanges? {
        guard holes.ranges.last.map({ $0.upperBound <= size }) ?? true else { return nil }
        var believed = ByteRanges()
        var left = byteLimit
        for hole in holes.ranges.prefix(limit) where Int64(hole.count) <= left {
            believed.insert(hole)
            left -= Int64(hole.count)
        }
        return believed
    }
}
