import SystemInfo

/// Reads `systemctl list-units --type=service --plain --no-legend`: UNIT LOAD ACTIVE SUB DESCRIPTION.
enum SystemctlUnits {
    static func services(_ text: String, limit: Int) -> [ServiceFacts] {
        text.split(separator: "\n").lazy.compactMap { line -> ServiceFacts? in
            let words = line.split(separator: " ", maxSplits: 4)
            guard words.count >= 4, words[0].hasSuffix(".service") else { return nil }
            return ServiceFacts(
                name: String(words[0]),
                summary: words.count == 5 ? words[4].trimming : "",
                state: String(words[2]),
                detail: String(words[3])
            )
        }
        .prefix(limit).map(\.self)
    }
}
