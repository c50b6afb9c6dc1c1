import Foundation
import Kernel
import MigrationContainer

/// Resident memory of this process.
enum Memory {
    /// From here on the peak counts.
    static func forgetPeak() throws { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }

    /// In bytes.
    static func peak() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let match = text.firstMatch(of: /VmHWM:\s*(\d+) kB/), let kibibytes = Int(match.1) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return kibibytes << 10
    }
}

/// Takes what a package holds and keeps nothing.
final class DiscardingSink: RestoreSink {
    func begin(_ manifest: Manifest) {}
    func take(masterKey: [UInt8]) {}
    func take(_ record: JSONValue, of entity: MigrationEntity) {}
    func beginFile(_ path: String, size: UInt64) {}
    func take(fileBytes: [UInt8]) {}
    func endFile() {}
}

/// Where a package is written for other programs.
final class PackageFile {
    private let handle: FileHandle

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        handle = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: bytes) }
}
