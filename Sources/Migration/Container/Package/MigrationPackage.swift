import Archives
import Foundation
import Synchronization

/// A sealed package that lies nowhere: each range of its bytes is made from the frozen source when it is asked for, and is the same each time.
/// The calls block on the source; one is made at a time, others wait.
public final class MigrationPackage: Sendable {
    private struct Reading {
        /// The text that was made last: the next range mostly continues in it.
        var block: (entry: Int, index: Int, bytes: [UInt8])?
        /// The file that was read last.
        var file: (entry: Int, file: any BackupFile)?
        /// The CRC-32 of the file that is read from its beginning on, up to `next`.
        var check: (entry: Int, next: UInt64, checksum: CRC32)?
        /// The segment that was sealed last: a range mostly begins in the one in which the range before ended.
        var segment: (index: UInt64, bytes: [UInt8])?
    }

    /// What is kept to make the package again after the program was started again.
    public let plan: PackagePlan
    public let header: ContainerHeader
    /// Bytes of the whole package.
    public let length: UInt64
    /// Bytes of the archive in it.
    public let archiveLength: UInt64

    private let source: any BackupSource
    private let contents: [EntryContent]
    private let layout: StoredZipLayout
    private let sealer: ContainerSealer
    private let reading = Mutex(Reading())

    /// - Throws: ``ContainerError/invalidArgument(_:)`` for a header of another package.
    init(plan: PackagePlan, header: ContainerHeader, source: any BackupSource) throws {
        let contents = try plan.contents()
        layout = try StoredZipLayout(contents.map(\.entry))
        guard header.prefix.length == layout.length, header.bytes == plan.header else {
            throw ContainerError.invalidArgument("header")
        }
        self.contents = contents.map(\.content)
        self.plan = plan
        self.header = header
        self.source = source
        sealer = try ContainerSealer(header: header)
        length = sealer.length
        archiveLength = layout.length
    }

    /// The package's bytes in `range`, at most 16 MiB.
    ///
    /// - Throws: ``ContainerError/sourceChanged(_:)`` where the source is not what it was: the package is dead then, and a new one is made.
    ///   ``ContainerError/invalidArgument(_:)`` for a range outside the package, and what the source throws.
    public func bytes(in range: Range<UInt64>) throws -> [UInt8] {
        try reading.withLock { reading in
            try sealer.bytes(in: range, sealing: { try sealed($0, &reading) })
        }
    }

    private func sealed(_ index: UInt64, _ reading: inout Reading) throws -> [UInt8] {
        if let known = reading.segment, known.index == index { return known.bytes }
        let sealed = try sealer.segment(index) { try archive(in: $0, &reading) }
        reading.segment = (index, sealed)
        return sealed
    }

    /// The package from its first byte on.
    ///
    /// - Parameter isDigested: Whether the checksums of the whole are wanted: they take more time than all else together.
    public func makeStream(isDigested: Bool = true) -> PackageStream { PackageStream(self, isDigested: isDigested) }

    /// The checksums of the whole. It makes every byte once.
    ///
    /// - Parameter progress: Told the bytes so far; what it throws ends the call.
    /// - Throws: As ``bytes(in:)``.
    public func digests(progress: (UInt64) throws -> Void = { _ in }) throws -> PackageDigests {
        let stream = makeStream()
        var count: UInt64 = 0
        while let bytes = try stream.next() {
            count += UInt64(bytes.count)
            try progress(count)
        }
        guard let digests = stream.digests else { throw ContainerError.invalidArgument("stream") }
        return digests
    }

    /// The copy of the manifest that travels before the package, in canonical JSON.
    ///
    /// - Parameter digests: Nil while they are not known; they then come with the end of the transfer.
    public func outerManifest(_ digests: PackageDigests?) throws -> [UInt8] {
        var manifest = plan.manifest
        manifest.integrity.zipSize = archiveLength
        manifest.integrity.zipSHA256 = digests?.zipSHA256 ?? ""
        return try manifest.bytes()
    }

    /// A sealed segment; nil behind the last.
    ///
    /// - Parameter take: Told the part of the archive that it holds.
    func segment(_ index: UInt64, taking take: ([UInt8]) -> Void) throws -> [UInt8]? {
        guard index < SegmentCipher.count(of: archiveLength) else { return nil }
        return try reading.withLock { reading in
            try sealer.segment(index) { range in
                let bytes = try archive(in: range, &reading)
                take(bytes)
                return bytes
            }
        }
    }

    private func archive(in range: Range<UInt64>, _ reading: inout Reading) throws -> [UInt8] {
        let pieces = try layout.pieces(in: range)
        // Most ranges are of one file: what was read is handed on as it is.
        if pieces.count == 1, case .body(let entry, let part) = pieces[0], case .file(let index) = contents[entry] {
            return try medium(index, entry, part, &reading)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for piece in pieces {
            switch piece {
            case .bytes(let part): bytes += part
            case .body(let entry, let range): try append(entry, range, to: &bytes, &reading)
            }
        }
        return bytes
    }

    private func append(
        _ entry: Int,
        _ range: Range<UInt64>,
        to bytes: inout [UInt8],
        _ reading: inout Reading
    ) throws {
        switch contents[entry] {
        case .bytes(let content): bytes += content[Int(range.lowerBound)..<Int(range.upperBound)]
        case .file(let index): bytes += try medium(index, entry, range, &reading)
        case .sectionFile(let index):
            let file = plan.sectionFiles[index]
            bytes += try self.file(file.entryPath, file.status, file.digest, entry, range, &reading) {
                try source.open(file.path, of: file.section)
            }
        case .records(let table):
            let text = plan.records[table]
            try append(entry, range, to: &bytes, &reading, block: text.block(at:), start: { text.blocks[$0].start }) {
                try text.bytes(ofBlock: $0, in: source)
            }
        case .fileList:
            guard let list = plan.fileList else { throw ContainerError.invalidArgument("plan") }
            try append(entry, range, to: &bytes, &reading, block: list.block(at:), start: { list.starts[$0] }) {
                try list.bytes(ofBlock: $0, plan.files)
            }
        }
    }

    /// Appends a range of a text that is made in blocks.
    private func append(
        _ entry: Int,
        _ range: Range<UInt64>,
        to bytes: inout [UInt8],
        _ reading: inout Reading,
        block: (UInt64) -> Int,
        start: (Int) -> UInt64,
        making make: (Int) throws -> [UInt8]
    ) throws {
        var place = range.lowerBound
        while place < range.upperBound {
            let index = block(place)
            if reading.block?.entry != entry || reading.block?.index != index {
                reading.block = nil
                reading.block = (entry, index, try make(index))
            }
            let text = reading.block?.bytes ?? []
            let first = place - start(index)
            let last = min(range.upperBound - start(index), UInt64(text.count))
            guard first < last else { throw ContainerError.invalidArgument("plan") }
            bytes += text[Int(first)..<Int(last)]
            place += last - first
        }
    }

    private func medium(
        _ index: Int,
        _ entry: Int,
        _ range: Range<UInt64>,
        _ reading: inout Reading
    ) throws -> [UInt8] {
        let file = plan.files[index]
        return try self.file(file.entryPath, file.status, file.digest, entry, range, &reading) {
            try source.open(file.medium)
        }
    }

    private func file(
        _ path: String,
        _ status: BackupFileStatus,
        _ digest: MediumDigest,
        _ entry: Int,
        _ range: Range<UInt64>,
        _ reading: inout Reading,
        opening open: () throws -> any BackupFile
    ) throws -> [UInt8] {
        do {
            if reading.file?.entry != entry {
                reading.file = nil
                reading.file = (entry, try open())
            }
            guard let file = reading.file?.file else { throw BackupFileError.unreadable }
            let bytes = try file.read(at: range.lowerBound, count: range.count)
            // Looked at behind the reading: a change before or while it was read shows.
            if bytes.count == range.count, try file.status() == status,
                Self.agrees(bytes, at: range.lowerBound, of: entry, status.size, digest, &reading.check)
            {
                return bytes
            }
        } catch is BackupFileError {
            // The entry's size was announced, so the package cannot go on without the file.
        }
        reading.file = nil
        throw ContainerError.sourceChanged(path)
    }

    /// Whether a file that is read from its beginning to its end has the CRC-32 that was announced. Where its sums are those of the day on which it
    /// was saved, a disk may have damaged it since: better said here than by the reader of the whole package. Says yes of a part of a file.
    private static func agrees(
        _ bytes: [UInt8],
        at offset: UInt64,
        of entry: Int,
        _ size: UInt64,
        _ digest: MediumDigest,
        _ check: inout (entry: Int, next: UInt64, checksum: CRC32)?
    ) -> Bool {
        if offset == 0 { check = (entry, 0, CRC32()) }
        guard var begun = check, begun.entry == entry, begun.next == offset else { return true }
        begun.checksum.update(bytes)
        begun.next += UInt64(bytes.count)
        check = begun
        return begun.next < size || begun.checksum.value == digest.crc32
    }
}
