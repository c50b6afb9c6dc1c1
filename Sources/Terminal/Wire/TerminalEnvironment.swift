import Kernel

/// The variables a phone wants a shell to have, checked.
enum TerminalEnvironment {
    private static let nameLimit = 128
    private static let valueLimit = 4096
    private static let totalLimit = 32 * 1024

    static func read(_ value: JSONValue?) throws(TerminalError) -> [String: String] {
        guard let value, value != .null else { return [:] }
        guard let members = value.objectValue, members.count <= TerminalError.variableLimit else {
            throw .badEnvironment
        }
        var environment: [String: String] = [:]
        var total = 0
        for (name, member) in members {
            guard let text = member.stringValue, isName(name), text.utf8.count <= valueLimit, !text.utf8.contains(0)
            else { throw .badEnvironment }
            total += name.utf8.count + text.utf8.count
            guard total <= totalLimit else { throw .badEnvironment }
            environment[name] = text
        }
        return environment
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.first, !first.isNumber, name.utf8.count <= nameLimit else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
