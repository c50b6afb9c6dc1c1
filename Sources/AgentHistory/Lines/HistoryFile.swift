#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One open file of a history, plain or compressed. Offsets are those of the plain text in both cases.
///
/// It is opened for reading only, never through a symbolic link, and only where it is an ordinary file.
final class HistoryFile {
    /// The path that was opened: the one asked for, or its sibling.
    let path: String
    let isCompressed: Bool
    /// The file's identity when it was opened.
    let identity: FileIdentity
    /// Bytes of text that were read or unpacked so far, those that were passed over included.
    var bytesRead: Int64 { ownBytesRead + (base?.file.bytesRead ?? 0) }
    /// The thread whose text this one, or what it begins with, goes on behind, and whose file is not here.
    var missingBase: String?

    /// The parent's file that the text begins with, before the file's own.
    private struct Base {
        let file: HistoryFile
        let end: Int64
    }

    private var base: Base?
    private var ownBytesRead: Int64 = 0

    private let descriptor: Int32
    private let unpacked: UnpackedBytes?
    private let budget: ReadingBudget

    private init(
        descriptor: Int32,
        path: String,
        identity: FileIdentity,
        budget: ReadingBudget
    ) throws(AgentHistoryError) {
        self.budget = budget
        self.descriptor = descriptor
        self.path = path
        self.identity = identity
        isCompressed = HistoryPath.isCompressed(path)
        guard isCompressed else {
            unpacked = nil
            return
        }
        do {
            unpacked = try UnpackedBytes(
                descriptor: descriptor,
                path: path,
                packedSize: identity.size,
                budget: budget
            )
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// - Parameter path: Where the file was seen. Codex compresses cold files and unpacks resumed ones at any time, so the
    ///   sibling `PATH.zst`, or the plain file of a compressed one, is opened where the path is gone.
    /// - Parameter budget: Begins now: what is read of the file later, on this thread, is paid from it.
    static func open(
        _ path: String,
        budget: ReadingBudget = ReadingBudget()
    ) throws(AgentHistoryError) -> HistoryFile {
        let candidates = [path, HistoryPath.sibling(of: path)].compactMap(\.self)
        // Each round finds one of the two unless a rename fell between both tries.
        for _ in 0..<4 {
            for candidate in candidates {
                do {
                    return try openExactly(candidate, budget)
                } catch .notFound {
                    continue
                }
            }
        }
        throw .notFound(path: path)
    }

    private static func openExactly(
        _ path: String,
        _ budget: ReadingBudget
    ) throws(AgentHistoryError) -> HistoryFile {
        // Looked at first: opening alone already does something to a device.
        guard let seen = PathStatus.of(path: path, followingLinks: false) else {
            throw AgentHistoryError(errno: errno, path: path)
        }
        switch seen.kind {
        case .file: break
        case .link: throw .symbolicLink(path: path)
        case .folder, .other: throw .notOrdinary(path: path)
        }
        let descriptor = systemOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AgentHistoryError(errno: errno, path: path) }
        guard let status = PathStatus.of(descriptor: descriptor), status.kind == .file else {
            close(descriptor)
            throw .notOrdinary(path: path)
        }
        return try HistoryFile(descriptor: descriptor, path: path, identity: status.identity, budget: budget)
    }

    /// Puts the text of another file up to an offset before this one's. All offsets are those of both together.
    func begin(with file: HistoryFile, upTo end: Int64) {
        // The other's offsets count what it begins with itself, and `end` is one of its own file.
        base = Base(file: file, end: (file.base?.end ?? 0) + end)
        missingBase = file.missingBase
    }

    /// Where this file's own text begins, behind what it was put behind.
    var ownStart: Int64 { base?.end ?? 0 }

    /// Why the compressed file ends before its end; nil while nothing is known to be wrong.
    var damage: String? { unpacked?.damage ?? base?.file.damage }

    /// Where the text ends now. A compressed file is unpacked once to know it.
    ///
    /// - Parameter limit: Of unpacking. Nil is returned where a compressed file is longer.
    func end(within limit: Int64 = .max) throws(AgentHistoryError) -> Int64? {
        let start = base?.end ?? 0
        return try ownEnd(within: max(0, limit - start)).map { $0 + start }
    }

    private func ownEnd(within limit: Int64) throws(AgentHistoryError) -> Int64? {
        guard let unpacked else {
            guard let status = PathStatus.of(descriptor: descriptor) else {
                throw AgentHistoryError(errno: errno, path: path)
            }
            return status.identity.size
        }
        let before = unpacked.produced
        defer { ownBytesRead += unpacked.produced - before }
        return try unpacked.end(within: limit)
    }

    /// Fills `buffer` from `offset` on, and returns how many bytes there were: fewer only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AgentHistoryError) -> Int {
        guard let base else { return try readOwn(into: buffer, at: offset) }
        var filled = 0
        if offset < base.end {
            filled = Int(min(Int64(buffer.count), base.end - max(0, offset)))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<filled])
            let count = try base.file.read(into: part, at: offset)
            // The other file is shorter than it was: a blank line stands for what is lost, so that all offsets stay what they are.
            if count < filled {
                for index in count..<filled { part[index] = 0x20 }
                if offset + Int64(filled) == base.end { part[filled - 1] = 0x0A }
            }
        }
        guard filled < buffer.count else { return filled }
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return filled + (try readOwn(into: rest, at: offset + Int64(filled) - base.end))
    }

    private func readOwn(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AgentHistoryError) -> Int
    {
        try budget.check(path)
        if let unpacked {
            let before = unpacked.produced
            defer { ownBytesRead += unpacked.produced - before }
            return try unpacked.read(into: buffer, at: offset)
        }
        var filled = 0
        while filled < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress.map { $0 + filled },
                buffer.count - filled,
                off_t(offset) + off_t(filled)
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AgentHistoryError(errno: errno, path: path) }
            if count == 0 { break }
            filled += count
        }
        ownBytesRead += Int64(filled)
        return filled
    }

    /// Reads up to `count` bytes from `offset` on; fewer where the file ends.
    func bytes(at offset: Int64, count: Int) throws(AgentHistoryError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try read(into: &bytes, from: 0, at: offset)
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Fills `bytes` behind `start`, and returns how many bytes there were.
    func read(into bytes: inout [UInt8], from start: Int, at offset: Int64) throws(AgentHistoryError) -> Int {
        var result: Result<Int, AgentHistoryError> = .success(0)
        bytes.withUnsafeMutableBytes { buffer in
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
            do throws(AgentHistoryError) {
                result = .success(try read(into: rest, at: offset))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}

/// `open` of the C library: inside of a type with a method of this name it would not be found.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
