import Crypto
import Foundation
import Kernel

/// SHA-256 of a file whose parts come in any order: what comes in order, or a little early, is taken along, the rest is read
/// back at the end.
struct FileDigest: Sendable {
    /// Parts that several tasks read or write side by side overtake each other by a few.
    private static let earlyLimit = 16

    private var hash = SHA256()
    private(set) var position: Int64 = 0
    private var early: [Int64: ArraySlice<UInt8>] = [:]

    /// Takes the bytes when they are the next ones, or soon will be.
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
        // What begins inside of what was taken will never be next.
        if !early.isEmpty { early = early.filter { $0.key >= position } }
    }

    /// Reads what came out of order and is whole by now, so that little is left for the end.
    mutating func catchUp(_ file: any ReadableFile, to end: Int64) throws {
        guard end - position >= 4 << 20 else { return }
        while position < end {
            let bytes = try file.read(at: position, count: Int(min(1 << 20, end - position)))
            guard !bytes.isEmpty else { return }
            take(bytes[...], at: position)
        }
    }

    /// Reads on to the end, and says the digest as hexadecimal digits.
    ///
    /// - Throws: ``TransferError/sourceChanged(_:)`` when the file ends early.
    mutating func finish(_ file: any ReadableFile, size: Int64, named name: String) throws -> String {
        while position < size {
            let bytes = try file.read(at: position, count: Int(min(1 << 20, size - position)))
            guard !bytes.isEmpty else { throw TransferError.sourceChanged(name) }
            take(bytes[...], at: position)
        }
        return Hexadecimal.encode(hash.finalize())
    }
}
