import Foundation
import Kernel
import MigrationContainer
import MigrationTransfer

/// A package that lies in a file of this machine. Every call blocks.
struct PackageFile: Sendable {
    let url: URL
    /// What of it is there already; nil for a file that is whole.
    var arrival: Arrival?

    /// A file whose bytes come while it is read.
    struct Arrival: Sendable {
        let front: PackageFront
        /// Bytes of the whole.
        let length: UInt64
    }

    /// - Throws: ``MigrationClientError/cannotRead(path:)``.
    func open() throws(MigrationClientError) -> FileHandle {
        guard let handle = try? FileHandle(forReadingFrom: url) else { throw .cannotRead(path: url.path) }
        return handle
    }

    /// Bytes of the file.
    func size() throws -> UInt64 {
        let handle = try open()
        defer { try? handle.close() }  // it only read
        return try handle.seekToEnd()
    }

    /// The bytes before the first segment; fewer where the file is shorter.
    func headerBytes() throws -> [UInt8] {
        let handle = try open()
        defer { try? handle.close() }  // it only read
        return try piece(of: handle, at: 0, count: ContainerHeader.byteCount)
    }

    /// Reads the package from its first byte with a reader.
    ///
    /// - Parameter passingKnown: Whether the file may have holes where the reader's sink has the archive's bytes.
    func read(
        with reader: PackageReader,
        passingKnown: Bool = false,
        progress: (UInt64) -> Void = { _ in }
    ) throws -> PackageContents {
        let handle = try open()
        defer { try? handle.close() }  // it only read
        return try withoutActuallyEscaping(progress) { progress in
            // The header is wanted, and then a sealed segment each time: the reader has nothing to put together, and no block is so large that
            // each has pages of its own made for it.
            try reader.read(passingKnown: passingKnown) { wanted in
                let place = wanted.lowerBound
                let bytes = try piece(of: handle, at: place, count: arrived(wanted.count, at: place))
                progress(place + UInt64(bytes.count))
                return bytes
            }
        }
    }

    /// How many of the bytes that are wanted can be read now, none at the end. Waits for the first.
    private func arrived(_ wanted: Int, at offset: UInt64) throws -> Int {
        guard let arrival else { return wanted }
        guard offset < arrival.length else { return 0 }
        let count = UInt64(try arrival.front.wait(beyond: Int64(offset)))
        return Int(min(UInt64(wanted), count - offset))
    }

    /// The checksums of the whole, by reading all of it.
    ///
    /// - Parameter known: What of the archive is elsewhere, where the file may have holes.
    func digests(
        _ header: ContainerHeader,
        _ crypto: MigrationCryptoService,
        known: (any KnownArchive)?
    ) throws -> PackageDigests {
        let reader = try PackageReader(header: header, crypto: crypto, sink: NothingKept(known))
        return try read(with: reader, passingKnown: true).digests
    }

    /// Bytes from a place on, fewer at the end.
    private func piece(of handle: FileHandle, at offset: UInt64, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let place = off_t(offset) + off_t(filled)
                let taken = pread(handle.fileDescriptor, start + filled, count - filled, place)
                if taken < 0, errno == EINTR { continue }
                guard taken >= 0 else { throw MigrationClientError.cannotRead(path: url.path) }
                if taken == 0 { return }
                filled += taken
            }
        }
    }

    /// All bytes of a package of version 1, which is one box.
    ///
    /// - Throws: `ContainerError.tooLarge`, `ContainerError.truncated`, before anything is read; ``MigrationClientError/cannotRead(path:)``.
    func legacyBytes() throws -> [UInt8] {
        let count = try size()
        try LegacyPackage.check(byteCount: count)
        let handle = try open()
        defer { try? handle.close() }  // it only read
        // One that grows meanwhile does not open.
        return Array(try handle.read(upToCount: Int(count)) ?? Data())
    }

    /// - Throws: ``MigrationClientError/cannotWrite(path:)`` where no file can be made beside the one that is to be.
    func checkPlace() throws(MigrationClientError) {
        let partial = url.appendingPathExtension("partial")
        do {
            try MigrationPlaces.makeFile(partial).close()
            try FileManager.default.removeItem(at: partial)
        } catch { throw .cannotWrite(path: url.path) }
    }

    /// Writes a package into a new file, which has its name once it is whole and on the disk.
    ///
    /// - Throws: ``MigrationClientError/fileExists(path:)``, ``MigrationClientError/cannotWrite(path:)``; `ContainerError`, and what `progress` throws.
    func write(_ package: MigrationPackage, progress: (UInt64) throws -> Void) throws {
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw MigrationClientError.fileExists(path: url.path)
        }
        let partial = url.appendingPathExtension("partial")
        let failure = MigrationClientError.cannotWrite(path: url.path)
        guard let handle = try? MigrationPlaces.makeFile(partial) else { throw failure }
        do {
            let stream = package.makeStream(isDigested: false)
            var count: UInt64 = 0
            while let bytes = try stream.next() {
                do { try handle.write(contentsOf: bytes) } catch { throw failure }
                count += UInt64(bytes.count)
                try progress(count)
            }
            do {
                try handle.synchronize()
                try handle.close()
                // A hard link, other than a rename, replaces nothing that came there meanwhile.
                try FileManager.default.linkItem(at: partial, to: url)
                try FileManager.default.removeItem(at: partial)
                try MigrationPlaces.synchronizeFolder(url.deletingLastPathComponent())
            } catch { throw failure }
        } catch {
            try? FileManager.default.removeItem(at: partial)  // the error says more
            throw error
        }
    }
}

/// Takes a package and keeps nothing of it.
private final class NothingKept: RestoreSink {
    let known: (any KnownArchive)?

    init(_ known: (any KnownArchive)?) { self.known = known }

    func begin(_ manifest: Manifest) throws {}
    func take(masterKey: [UInt8]) throws {}
    func take(_ record: JSONValue, of entity: MigrationEntity) throws {}
    func beginFile(_ path: String, size: UInt64) throws {}
    func take(fileBytes: [UInt8]) throws {}
    func endFile() throws {}
}
