import Foundation

/// Watches the entries of one archive while they are unpacked, and stops it at the first that a hostile archive would hold.
public struct ArchiveInspector {
    private enum Place {
        case file
        /// Named by an entry of its own.
        case folder
        /// Above an entry.
        case implied
    }

    private let limits: ArchiveLimits
    /// By a keyed hash of the folded path: names themselves would take a hundred bytes each. Two of two million have one hash once in ten million
    /// archives, which are refused then.
    private var places: [Int: Place] = [:]
    private var entryCount = 0
    private var total: UInt64 = 0
    /// Unpacked bytes of the entry that ended last.
    private(set) var lastSize: UInt64 = 0
    private var current: (name: String, declared: UInt64?, unpacked: UInt64)?

    public init(limits: ArchiveLimits) { self.limits = limits }

    /// Begins an entry.
    ///
    /// - Parameter declared: Its unpacked bytes, where the archive says them before the body.
    /// - Throws: ``ArchiveError`` for its name, its place among the others, their count and the declared sizes.
    public mutating func begin(_ name: ArchiveName, declared: UInt64?) throws(ArchiveError) {
        entryCount += 1
        guard entryCount <= limits.entries else { throw .tooManyEntries(limit: limits.entries) }
        try occupy(name)
        if let declared, declared > limits.totalBytes - total { throw .tooLarge(limit: limits.totalBytes) }
        current = (name.text, declared, 0)
    }

    /// Counts unpacked bytes of the entry, before they are used.
    ///
    /// - Parameter packed: Bytes that the entry took from the archive so far; nil where the format does not pack.
    /// - Throws: ``ArchiveError/sizeMismatch(_:)``, ``ArchiveError/tooLarge(limit:)``, ``ArchiveError/suspiciousRatio(_:)``.
    public mutating func count(_ bytes: Int, packed: UInt64?) throws(ArchiveError) {
        guard var entry = current else { throw .invalidArgument("entry") }
        // The limit bounds both sums far below an overflow: each is checked against it before it is kept.
        guard UInt64(bytes) <= limits.totalBytes - total else { throw .tooLarge(limit: limits.totalBytes) }
        entry.unpacked += UInt64(bytes)
        total += UInt64(bytes)
        if let declared = entry.declared, entry.unpacked > declared { throw .sizeMismatch(entry.name) }
        // A short body may be all zeros and honest: the ratio counts from a mebibyte on.
        if let packed, entry.unpacked > 1 << 20, entry.unpacked / max(1, packed) > limits.ratio {
            throw .suspiciousRatio(entry.name)
        }
        current = entry
    }

    /// Ends the entry.
    ///
    /// - Throws: ``ArchiveError/sizeMismatch(_:)`` where it has fewer bytes than declared.
    public mutating func end() throws(ArchiveError) {
        guard let entry = current else { throw .invalidArgument("entry") }
        if let declared = entry.declared, entry.unpacked != declared { throw .sizeMismatch(entry.name) }
        lastSize = entry.unpacked
        current = nil
    }

    /// Unpacked bytes of the entry so far.
    var currentSize: UInt64 { current?.unpacked ?? 0 }

    /// Takes the entry's name, and those of the folders above it, in the form in which file systems that fold letters would compare them.
    private mutating func occupy(_ name: ArchiveName) throws(ArchiveError) {
        let components = Self.folded(name.text).utf8.split(separator: UInt8(ascii: "/"))
        var hasher = Hasher()
        for component in components.dropLast() {
            Self.add(component, to: &hasher)
            let path = hasher.finalize()
            guard places[path] != .file else { throw .nameCollision(name.text) }
            if places[path] == nil { places[path] = .implied }
        }
        if let last = components.last { Self.add(last, to: &hasher) }
        let path = hasher.finalize()
        let isFree = places[path] == nil || (name.isFolder && places[path] == .implied)
        guard isFree else { throw .nameCollision(name.text) }
        places[path] = name.isFolder ? .folder : .file
    }

    private static func add(_ component: Substring.UTF8View, to hasher: inout Hasher) {
        for byte in component { hasher.combine(byte) }
        hasher.combine(UInt8(ascii: "/"))
    }

    private static func folded(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
    }
}
