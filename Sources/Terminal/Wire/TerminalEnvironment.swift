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
        guard let first = name.utf8.first, !(0x30...0x39).contains(first), name.utf8.count <= nameLimit else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
            default: false
            }
        }
    }
}
