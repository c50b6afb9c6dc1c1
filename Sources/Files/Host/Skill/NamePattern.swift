/// A pattern for names: a part of the name, or a whole name with `*` and `?`; case is ignored.
struct NamePattern: Sendable {
    private let pattern: [Character]
    private let isWhole: Bool

    init(_ text: String) {
        pattern = Array(text.lowercased())
        isWhole = text.contains { $0 == "*" || $0 == "?" }
    }

    func matches(_ name: String) -> Bool {
        let name = Array(name.lowercased())
        guard isWhole else {
            guard pattern.count <= name.count else { return false }
            return (0...(name.count - pattern.count)).contains { name[$0...].starts(with: pattern) }
        }
        // One star is remembered at a time, so the work is bounded by both lengths multiplied.
        var position = 0
        var index = 0
        var star: (pattern: Int, name: Int)?
        while index < name.count {
            if position < pattern.count, pattern[position] == "*" {
                star = (position + 1, index)
                position += 1
            } else if position < pattern.count, pattern[position] == "?" || pattern[position] == name[index] {
                position += 1
                index += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                position = last.pattern
                index = last.name + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == "*" }
    }
}
