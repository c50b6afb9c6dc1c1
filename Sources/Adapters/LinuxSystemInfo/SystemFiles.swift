import Foundation
import Glibc

/// The kernel's small text files, below a root that tests choose.
struct SystemFiles: Sendable {
    /// /proc/cpuinfo of a machine with hundreds of processors fits.
    private static let byteLimit = 1 << 20

    let root: String

    /// Nil when it is not there or may not be read.
    func text(_ path: String) -> String? {
        let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < Self.byteLimit {
            let count = Glibc.read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One line without its end; nil when there is nothing on it.
    func line(_ path: String) -> String? {
        let line = text(path)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return line?.isEmpty == false ? line : nil
    }

    func number(_ path: String) -> Int? { line(path).flatMap { Int($0) } }

    /// Sorted, so that the same machine always answers the same. Empty when there is no such folder.
    func names(in folder: String) -> [String] {
        // A folder that cannot be listed holds nothing for us.
        ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).sorted()
    }
}
