package import Foundation

/// A file of a section: its path within the section, `folders/…`, `keys/…` or `files/…`, and where its bytes are.
package struct SectionFile: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case disk(URL)
        /// A key of a phone whose state is in memory.
        case memory([UInt8])
    }

    package let path: String
    /// Bytes, as they were when the section was frozen.
    package let size: Int64
    package let content: Content

    /// Components of a path, and bytes of each: more than any folder of a phone has, less than file systems take.
    private static let depthLimit = 16
    private static let nameLimit = 255

    /// Whether a path stays within the folder that it is put into, on every file system.
    package static func isSafe(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard (2...depthLimit).contains(parts.count), ["folders", "keys", "files"].contains(parts[0]) else {
            return false
        }
        return parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.count <= nameLimit
                && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x5C && $0 != 0x7F }
        }
    }
}
