/// Addresses that come from others: only the web's. A `file:` in a message would show its reader's own files.
enum WebAddress {
    static func isOne(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }
}
