public import Foundation

/// An address of an object that ends. Its end stands in it, as `e`.
public struct SignedURL: Hashable, Sendable {
    public var text: String
    /// Seconds since 1970; nil where the address does not say.
    public var expireAt: Int64?

    /// Nil for an empty text, and for one of more than ``ChatLimits/url`` bytes.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= ChatLimits.url else { return nil }
        self.text = text
        let end = URLComponents(string: text)?.queryItems?.first { $0.name == "e" }?.value
        expireAt = end.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    public var url: URL? { URL(string: text) }
}
