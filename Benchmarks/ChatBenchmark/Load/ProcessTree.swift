import Foundation

/// A server's processes, with all that they started: a database has one for each connection.
struct ProcessTree {
    private struct Entry {
        let parent: Int32
        let ticks: Double
    }

    let roots: [Int32]

    /// User and system time of all of them so far, in seconds.
    func processorSeconds() throws -> Double {
        try members().reduce(0) { $0 + $1.value.ticks } / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Memory that they hold now, in bytes. What processes share counts once: the proportional share of each.
    func residentBytes() throws -> Int {
        try members().keys.reduce(0) { sum, id in
            // A process may have ended since; it holds nothing any more.
            let text = try? String(contentsOfFile: "/proc/\(id)/smaps_rollup", encoding: .utf8)
            let kilobytes = text?.firstMatch(of: /Pss:\s*(\d+) kB/).flatMap { Int($0.1) } ?? 0
            return sum + kilobytes * 1024
        }
    }

    private func members() throws -> [Int32: Entry] {
        var all: [Int32: Entry] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let id = Int32(name), let entry = Self.entry(id) else { continue }
            all[id] = entry
        }
        for root in roots where all[root] == nil { throw LoadError.noProcess(root) }
        return all.filter { id, _ in
            var (at, steps) = (id, 0)
            while let entry = all[at], steps < 32 {
                if roots.contains(at) { return true }
                at = entry.parent
                steps += 1
            }
            return false
        }
    }

    private static func entry(_ id: Int32) -> Entry? {
        // The second field is the program's name in brackets, which may hold anything.
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let bracket = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        guard fields.count > 12, let parent = Int32(fields[1]), let user = Double(fields[11]),
            let system = Double(fields[12])
        else { return nil }
        return Entry(parent: parent, ticks: user + system)
    }
}
