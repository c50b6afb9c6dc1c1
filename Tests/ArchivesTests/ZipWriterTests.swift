import Foundation
import Testing

@testable import Archives

@Suite("Writing a zip archive")
struct ZipWriterTests {
    @Test("A body has the bytes that it was announced with, no more and no fewer")
    func sizes() throws {
        let writer = try ZipWriter { _ in }
        try writer.begin(try ArchiveName("a"), size: 2, method: .stored, modified: .now)
        #expect(throws: ArchiveError.sizeMismatch("a")) { try writer.write([1, 2, 3]) }
        try writer.write([1])
        #expect(throws: ArchiveError.sizeMismatch("a")) { try writer.finish() }
    }

    @Test("A name that would collide is refused, and nothing is written once the archive is finished")
    func refusals() throws {
        let writer = try ZipWriter { _ in }
        try writer.begin(try ArchiveName("a"), size: 0, method: .stored, modified: .now)
        #expect(throws: ArchiveError.nameCollision("A")) {
            try writer.begin(try ArchiveName("A"), size: 0, method: .stored, modified: .now)
        }
        let other = try ZipWriter { _ in }
        try other.finish()
        #expect(throws: ArchiveError.invalidArgument("archive")) { try other.finish() }
    }

    @Test("The sink's own error comes through, and the sink is not called again")
    func sinkErrors() throws {
        struct DiskFull: Error {}
        var calls = 0
        do {
            let writer = try ZipWriter { _ in
                calls += 1
                throw DiskFull()
            }
            try writer.begin(try ArchiveName("a"), size: 1 << 20, method: .stored, modified: .now)
            #expect(throws: DiskFull.self) { try writer.write([UInt8](repeating: 1, count: 1 << 20)) }
        }
        #expect(calls == 1)
    }
}
