import Foundation

/// Header fields for content that somebody else made, so that a browser shows it without running any of it.
package enum ServedContent {
    /// Whether a browser shows the content or saves it.
    package enum Disposition: String, Hashable, Sendable {
        case inline
        case attachment
    }

    /// The Content-Security-Policy of content that is shown in place: it may do nothing at all.
    package static let policy = "default-src 'none'; sandbox; frame-ancestors 'none'"

    /// The field `Content-Disposition` (RFC 6266).
    ///
    /// - Parameter name: The name to save it under; any text.
    package static func disposition(_ disposition: Disposition, name: String) -> (name: String, value: String) {
        ("Content-Disposition", "\(disposition.rawValue); filename*=UTF-8''\(escaped(name))")
    }

    /// RFC 8187: letters, digits and a few signs stand for themselves.
    private static func escaped(_ name: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8)
        return name.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }.joined()
    }
}
