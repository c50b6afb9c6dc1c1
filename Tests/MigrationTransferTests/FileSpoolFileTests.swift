import Foundation
import Testing

@testable import MigrationTransfer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A file of the spool")
struct FileSpoolFileTests {
    /// Bytes that a file takes on the disk.
    private func taken(_ path: String) -> Int {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int(facts.st_blocks) * 512 : -1
    }

    @Test("gives the space of bytes back, reads as zeros there, keeps its size, and is written there again")
    func holes() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "spool-file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        let path = root.appending(path: "package").path
        let file = try FileSpoolFile(path)
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 | 1) }
        try file.write(bytes, at: 0)
        try file.synchronize()
        let before = taken(path)
        try file.release(100_000..<900_000)
        try file.release(1 << 30..<1 << 31)
        let after = try file.read(at: 0, count: 2 << 20)
        #expect(after.count == bytes.count)
        #expect(Array(after[..<100_000]) == Array(bytes[..<100_000]))
        #expect(Array(after[900_000...]) == Array(bytes[900_000...]))
        // A disk without holes keeps what was there.
        let isHole = try FileSpoolFile(root.appending(path: "trial").path).givesSpaceBack
        #expect(after[100_000..<900_000].allSatisfy { $0 == 0 } == isHole)
        if isHole { #expect(taken(path) < before - 700_000) }
        try file.write(Array(bytes[100_000..<900_000]), at: 100_000)
        #expect(try file.read(at: 0, count: 2 << 20) == bytes)
    }
}
