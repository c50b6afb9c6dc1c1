import Crypto
import Foundation
import Kernel

/// The checksum of a file whose parts come in any order: what comes in order, or a little early, is taken along, the rest is read
/// back at the end.
package struct FileDigest: Sendable {
    /// Bytes that are read at a time.
    private static let step: Int64 = 1 << 20
    private static let zeros = [UInt8](repeating: 0, count: Int(step))

    private var size: Int64
    private let holes: ByteRanges
    // One of the two, each changed in place.
    private var whole: SequentialHash?
    private var blocks: BlockHash?

    /// - Parameters:
    ///   - size: The file's, in bytes.
    ///   - holes: Parts of it that are known to be zeros: they are not read. A system keeps memory for each page of a hole that is read.
    package init(_ method: ChecksumMethod, size: Int64, holes: ByteRanges = ByteRanges()) {
        self.size = size
        self.holes = holes
        switch method {
        case .sha256: whole = SequentialHash()
        case .blockTags(let key): blocks = BlockHash(key: key, size: size)
        }
    }

    /// How far the file is taken along without a gap, in bytes.
    package var position: Int64 { whole?.position ?? blocks?.position ?? 0 }

    /// Lets the file end earlier than was said at first. Only for SHA-256: block tags hold the size.
    ///
    /// - Parameter size: In bytes, not before ``position``.
    package mutating func shorten(to size: Int64) {
        guard whole != nil, size >= position, size < self.size else { return }
        self.size = size
    }

    /// Takes the bytes along where they are of use; where not, they are read back.
    package mutating func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws {
        whole?.take(bytes, at: offset)
        try blocks?.take(bytes, at: offset)
    }

    /// Reads what came out of order and is whole by now, so that little is left for the end.
    package mutating func catchUp(_ file: any ReadableFile, to end: Int64) throws {
        guard end - position >= 4 << 20 else { return }
        _ = try read(file, to: end)
    }

    /// Reads on to the end.
    ///
    /// - Returns: The checksum as ``FileChecksum`` writes it.
    /// - Throws: ``TransferError/sourceChanged(_:)`` when the file ends early.
    package mutating func finish(_ file: any ReadableFile, named name: String) throws -> String {
        guard try read(file, to: size) else { throw TransferError.sourceChanged(name) }
        if let blocks { return "\(ChecksumMethod.blockTagsName):\(Hexadecimal.encode(blocks.result))" }
        return Hexadecimal.encode(whole?.result ?? [])
    }

    /// Like ``finish(_:named:)``, for a file of which all bytes came nearly in order and none can be read back.
    package mutating func finish(named name: String) throws -> String { try finish(NothingLeft(), named: name) }

    /// - Returns: False when the file ends before.
    private mutating func read(_ file: any ReadableFile, to end: Int64) throws -> Bool {
        while position < end {
            let start = position
            if let zeros = zeros(at: start, to: end) {
                try take(zeros, at: start)
            } else {
                try take(file.read(at: start, count: Int(min(Self.step, end - start)))[...], at: start)
            }
            // The file is shorter by now, or what is left is not a whole block.
            guard position > start else { return false }
        }
        return true
    }
}

extension FileDigest {
    /// The zeros of a hole, in whole steps but for the file's end; nil where something may be stored.
    private func zeros(at start: Int64, to end: Int64) -> ArraySlice<UInt8>? {
        guard let hole = holes.ranges.first(where: { $0.contains(start) }) else { return nil }
        let count = min(Self.step, min(end, hole.upperBound) - start)
        return count == Self.step || start + count == size ? Self.zeros.prefix(Int(count)) : nil
    }
}

/// A file without bytes.
private struct NothingLeft: ReadableFile {
    func status() throws(FileError) -> FileStatus { throw .notFound("") }
    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { [] }
}

/// SHA-256 of bytes that come nearly in order.
private struct SequentialHash: Sendable {
    /// Parts that several tasks read or write side by side overtake each other by a few.
    private static let earlyLimit = 16

    private var hash = SHA256()
    package private(set) var position: Int64 = 0
    private var early: [Int64: ArraySlice<UInt8>] = [:]

    var result: [UInt8] { Array(hash.finalize()) }

    mutating func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        guard !bytes.isEmpty, offset >= position else { return }
        guard offset == position else {
            if early.count < Self.earlyLimit { early[offset] = bytes }
            return
        }
        add(bytes)
        while let next = early.removeValue(forKey: position) { add(next) }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        position += Int64(bytes.count)
        // A part that begins inside of bytes already taken will never be next.
        if !early.isEmpty { early = early.filter { $0.key >= position } }
    }
}

/// SHA-256 of the blocks' AES-GMAC tags, each with its block's number as nonce, and of the file's size.
private struct BlockHash: Sendable {
    static let blockSize = 256 << 10
    private static let earlyLimit = 4096

    private let key: SymmetricKey
    private let size: Int64
    private var hash = SHA256()
    private var next: Int64 = 0
    private var early: [Int64: [UInt8]] = [:]

    init(key: SymmetricKey, size: Int64) {
        self.key = key
        self.size = size
    }

    var position: Int64 { min(size, next * Int64(Self.blockSize)) }

    var result: [UInt8] {
        var hash = hash
        withUnsafeBytes(of: size.bigEndian) { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }

    /// Takes the whole blocks in it.
    mutating func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws {
        let blockSize = Int64(Self.blockSize)
        var block = (offset + blockSize - 1) / blockSize
        while case let start = block * blockSize, start < size, start - offset < Int64(bytes.count) {
            let rest = bytes.dropFirst(Int(start - offset))
            let count = min(blockSize, size - start)
            guard Int64(rest.count) >= count else { return }
            if block >= next, early[block] == nil { add(try tag(of: rest.prefix(Int(count)), block), block) }
            block += 1
        }
    }

    private mutating func add(_ tag: [UInt8], _ block: Int64) {
        guard block == next else {
            if early.count < Self.earlyLimit { early[block] = tag }
            return
        }
        hash.update(data: tag)
        next += 1
        while let tag = early.removeValue(forKey: next) {
            hash.update(data: tag)
            next += 1
        }
    }

    private func tag(of bytes: ArraySlice<UInt8>, _ block: Int64) throws -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 4)
        withUnsafeBytes(of: block.bigEndian) { nonce += $0 }
        let box = try AES.GCM.seal([UInt8](), using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: bytes)
        return Array(box.tag)
    }
}
