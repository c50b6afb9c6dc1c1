import Crypto
import Foundation

/// The headers of the page for phones, which limit what its scripts may do and who may show it.
enum PhoneHeaders {
    private static let policy = [
        "default-src 'none'", "script-src 'self'",
        // xterm.js sets styles of elements.
        "style-src 'self' 'unsafe-inline'", "img-src 'self' blob: data:",
        // Also the signaling server's WebSocket, which is on the same port.
        "connect-src 'self'", "font-src 'self'", "media-src 'self' blob:", "manifest-src 'self'", "worker-src 'self'",
        "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
        // No text becomes a script; the one policy makes the addresses of the page's own workers.
        "require-trusted-types-for 'script'", "trusted-types tandem",
    ].joined(separator: "; ")

    private static let common: [(name: String, value: String)] = [
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(self), microphone=(self), geolocation=(), payment=(), usb=()"),
    ]

    static let page = common + [("Content-Security-Policy", policy)]

    /// For a page without scripts whose only style is `style`.
    static func notice(style: String) -> [(name: String, value: String)] {
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        let policy =
            "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return common + [("Content-Security-Policy", policy), ("Cache-Control", "no-store")]
    }
}
