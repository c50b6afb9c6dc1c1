import Kernel
import Testing

@testable import MigrationContainer

@Suite("The pipe to a package's reader")
struct PackagePipeTests {
    private struct Cut: Error {}

    private let work = BlockingWork("pipe-tests", width: 2)

    @Test("What is written is read in order, with a few bytes waiting at most")
    func order() async throws {
        let pipe = PackagePipe(limit: 10)
        async let written: Bool = work.run {
            for byte in 0..<200 { guard pipe.write([UInt8(byte), 0, 0]) else { return false } }
            pipe.finish()
            return true
        }
        let read = try await work.run {
            var read: [UInt8] = []
            while case let bytes = try pipe.read(), !bytes.isEmpty { read.append(bytes[0]) }
            return read
        }
        #expect(try await written)
        #expect(read == Array(0..<200))
    }

    @Test("Why no more bytes come is what the reader's call throws")
    func failure() throws {
        let pipe = PackagePipe()
        #expect(pipe.write([1]))
        pipe.finish(Cut())
        #expect(throws: Cut.self) { try pipe.read() }
        #expect(!pipe.write([2]))
    }

    @Test("A reader that stopped lets the writer go")
    func stopping() async throws {
        let pipe = PackagePipe(limit: 1)
        async let written: Bool = work.run {
            while pipe.write([1]) { continue }
            return true
        }
        _ = try await work.run { try pipe.read() }
        pipe.stopReading()
        #expect(try await written)
    }
}
