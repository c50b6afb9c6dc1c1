/// Reads `/etc/os-release`: `KEY=value` or `KEY="value"`.
enum ReleaseFile {
    static func values(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            var value = parts[1].trimming[...]
            for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                value = value.dropFirst().dropLast()
            }
            values[parts[0].trimming] = String(value.replacing("\\\"", with: "\""))
        }
        return values
    }
}
