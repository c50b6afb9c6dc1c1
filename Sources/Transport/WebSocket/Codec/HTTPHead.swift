/// The head of an HTTP/1.1 request or response: a start line and header fields, as much of HTTP as a WebSocket handshake needs.
package struct HTTPHead: Hashable, Sendable {
    package let startLine: [Substring]
    /// Names in lower case, in the order they came.
    package let fields: [(name: String, value: String)]

    package static func == (left: HTTPHead, right: HTTPHead) -> Bool {
        left.startLine == right.startLine && left.fields.elementsEqual(right.fields, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(startLine)
        for field in fields { hasher.combine(field.name) }
    }

    /// - Parameter bytes: Everything up to and with the empty line.
    /// - Returns: Nil for anything but a start line of three parts and well-formed fields.
    package init?(_ bytes: some Sequence<UInt8>) {
        // Latin-1 would be allowed in values; nothing that is read here needs it.
        guard let text = String(validating: Array(bytes), as: UTF8.self), text.hasSuffix("\r\n\r\n") else { return nil }
        var lines = text.dropLast(2).split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let first = lines.popFirst() else { return nil }
        startLine = first.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard startLine.count >= 2 else { return nil }
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon]
            // A space before the colon or at a line's start (folding) is how requests are smuggled past proxies.
            guard !name.isEmpty, !name.contains(where: { $0 == " " || $0 == "\t" }) else { return nil }
            let value = line[line.index(after: colon)...].trimmingPrefix(while: { $0 == " " || $0 == "\t" })
            fields.append((name.lowercased(), String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())))
        }
        self.fields = fields
    }

    /// The first value of a field.
    package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The value of a field that may come once; nil when it is missing or comes again.
    package func only(_ name: String) -> String? {
        let found = fields.filter { $0.name == name }
        return found.count == 1 ? found.first?.value : nil
    }

    /// Every value of a field, in the order they came.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Whether a comma-separated field names `token`, in any case.
    package func lists(_ token: String, in name: String) -> Bool {
        fields.contains { field in
            field.name == name
                && field.value.split(separator: ",").contains { part in
                    part.trimmingPrefix(while: { $0 == " " }).lowercased().split(separator: " ").first == token[...]
                }
        }
    }
}
