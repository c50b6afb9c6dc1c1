import Kernel

/// The simple members of a message that is nested too deep to be read: enough to answer it by its id.
enum ShallowMembers {
    /// UTF-8 bytes of a member that is kept.
    private static let limit = 1000
    /// The bytes that end a number or a word.
    private static let delimiters = Array("{}[],:\" \t\r\n".utf8)

    /// - Returns: Texts and numbers of the outermost object, the first of each name; empty for what is no object.
    static func read(_ line: [UInt8]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        var depth = 0
        var index = 0
        /// The key whose value comes next, in the outermost object.
        var key: String?
        var expectsKey = false
        while index < line.count {
            let byte = line[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                expectsKey = depth == 1 && byte == UInt8(ascii: "{")
                key = nil
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: ","):
                expectsKey = depth == 1
                key = nil
                index += 1
            case UInt8(ascii: ":"), 0x20, 0x09, 0x0D, 0x0A: index += 1
            default:
                let end = end(of: line, index)
                if depth == 1, end - index <= limit, let value = try? JSONValue(parsing: line[index..<end]) {
                    if expectsKey {
                        key = value.stringValue
                        expectsKey = false
                    } else if let name = key {
                        if members[name] == nil { members[name] = value }
                        key = nil
                    }
                }
                index = end
            }
        }
        return members
    }

    /// The index behind the text, the number or the word that begins here.
    private static func end(of line: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        guard line[start] == UInt8(ascii: "\"") else {
            while index < line.count, !delimiters.contains(line[index]) { index += 1 }
            return index
        }
        while index < line.count, line[index] != UInt8(ascii: "\"") {
            index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, line.count)
    }
}
