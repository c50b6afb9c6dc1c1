import SystemInfo

/// Reads `/proc/meminfo`.
enum MemoryFile {
    static func facts(_ text: String) -> MemoryFacts? {
        var bytes: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" })
            guard words.count >= 2, let kibibytes = UInt64(words[1]), kibibytes < .max >> 10 else { continue }
            bytes[words[0]] = kibibytes << 10
        }
        guard let total = bytes["MemTotal"] else { return nil }
        let cached = (bytes["Cached"] ?? 0) &+ (bytes["Buffers"] ?? 0)
        // Kernels before 3.14 do not estimate it.
        let available = bytes["MemAvailable"] ?? (bytes["MemFree"] ?? 0) &+ cached
        return MemoryFacts(
            total: total,
            available: min(available, total),
            cached: cached,
            swapTotal: bytes["SwapTotal"] ?? 0,
            swapFree: bytes["SwapFree"] ?? 0
        )
    }
}
