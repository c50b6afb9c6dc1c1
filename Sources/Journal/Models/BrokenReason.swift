/// Why a medium's file cannot be used. An open set; the known words are those of a package's manifest.
package struct BrokenReason: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let fileNotFound = BrokenReason(rawValue: "FILE_NOT_FOUND")
    package static let readError = BrokenReason(rawValue: "READ_ERROR")
    package static let sizeMismatch = BrokenReason(rawValue: "SIZE_MISMATCH")
    package static let hashMismatch = BrokenReason(rawValue: "HASH_MISMATCH")
    package static let empty = BrokenReason(rawValue: "EMPTY")
}
