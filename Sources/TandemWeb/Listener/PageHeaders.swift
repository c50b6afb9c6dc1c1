import HTTPTypes

/// The headers of every answer of the page, which limit what the browser may do with it.
enum PageHeaders {
    static let policy = [
        "default-src 'none'", "script-src 'self'",
        // xterm.js sets styles of elements.
        "style-src 'self' 'unsafe-inline'", "img-src 'self' blob: data:", "connect-src 'self'", "font-src 'self'",
        "media-src 'self' blob:", "manifest-src 'self'", "worker-src 'self'", "form-action 'none'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let standard: [(name: String, value: String)] = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]

    /// Adds those that the answer does not have with a stricter or another value of its own.
    static func add(to fields: inout HTTPFields) {
        for (name, value) in standard {
            guard let name = HTTPField.Name(name), fields[name] == nil else { continue }
            fields[name] = value
        }
    }

    /// For the head of an answer that is written by hand.
    static let lines = standard.map { "\($0.name): \($0.value)\r\n" }.joined()
}
