package import Kernel

/// A package in one file, at the places where its bytes belong.
package struct SpooledPackage: PackageSink {
    private let file: any SpoolFile
    private let work: BlockingWork
    private let available: @Sendable () throws -> Int64

    /// - Parameter available: Bytes that the disk has left. Blocks.
    package init(_ file: any SpoolFile, on work: BlockingWork, available: @escaping @Sendable () throws -> Int64) {
        self.file = file
        self.work = work
        self.available = available
    }

    package func write(_ bytes: [UInt8], at offset: Int64) async throws {
        try await work.run { [file] in try file.write(bytes, at: offset) }
    }

    package func synchronize() async throws { try await work.run { [file] in try file.synchronize() } }

    package func availableBytes() async throws -> Int64 { try await work.run(available) }

    package func release(_ range: Range<Int64>) async throws {
        try await work.run { [file] in try file.release(range) }
    }

    func clear() async throws { try await work.run { [file] in try file.truncate(to: 0) } }
}
