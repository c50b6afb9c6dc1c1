/// Reads what the kernel counts at the network's interfaces.
enum NetworkFiles {
    struct Traffic: Hashable, Sendable {
        var received: UInt64
        var sent: UInt64
    }

    /// `/proc/net/dev`: after two lines of headings `  eth0: bytes packets errs drop fifo frame compressed multicast bytes …`.
    static func traffic(_ text: String) -> [String: Traffic] {
        var traffic: [String: Traffic] = [:]
        for line in text.split(separator: "\n").dropFirst(2) {
            guard let colon = line.lastIndex(of: ":") else { continue }
            let numbers = line[line.index(after: colon)...].split(separator: " ").map { UInt64($0) }
            guard numbers.count >= 9, let received = numbers[0], let sent = numbers[8] else { continue }
            traffic[line[..<colon].trimming] = Traffic(received: received, sent: sent)
        }
        return traffic
    }

    /// `/proc/net/route`: the interface of the default route with the lowest metric.
    static func defaultInterface(_ text: String) -> String? {
        let routes = text.split(separator: "\n").dropFirst().compactMap { line -> (name: String, metric: Int)? in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 8, words[1] == "00000000", words[7] == "00000000" else { return nil }
            return (String(words[0]), Int(words[6]) ?? 0)
        }
        return routes.min { $0.metric < $1.metric }?.name
    }
}
