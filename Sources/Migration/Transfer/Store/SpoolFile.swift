/// A file of the receiver on a disk that can fail, with calls that block: the seam at which tests lose power.
package protocol SpoolFile: Sendable {
    /// The bytes from `offset`, up to `count`; fewer at the end.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
    func write(_ bytes: [UInt8], at offset: Int64) throws
    /// Returns once what was written is on the disk.
    func synchronize() throws
    func truncate(to size: Int64) throws
    /// Gives the space of bytes back, which nobody reads any more. A disk that cannot keeps it.
    func release(_ range: Range<Int64>) throws
}
