import Foundation
import Transport
public import WebClient

/// A hub's address as a person types it, for requests over HTTP.
public enum HubAddress {
    /// Reads `hub.example`, `wss://hub.example`, `ws://192.168.1.20:9001` and the same with `https` and `http`. Without a scheme it is `https`.
    ///
    /// - Throws: ``AccountClientError/unreachable(_:)`` for what is no address.
    public static func url(typed text: String) throws(AccountClientError) -> WebURL {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        do throws(WebClientError) {
            guard let end = text.range(of: "://") else { return try WebURL("https://\(text)") }
            let scheme = text[..<end.lowerBound].lowercased()
            let web = ["wss": "https", "ws": "http"][scheme] ?? scheme
            return try WebURL("\(web)://\(text[end.upperBound...])")
        } catch {
            throw .unreachable(error)
        }
    }

    /// Whether a password may travel there: over TLS, or within this device or a private network by an address in numbers.
    static func isSafe(_ url: WebURL) -> Bool {
        url.isSecure || url.host == "localhost" || NetworkScope(literal: url.host)?.isPrivate == true
    }
}
