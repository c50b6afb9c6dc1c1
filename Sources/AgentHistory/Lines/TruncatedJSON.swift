import Kernel

/// The whole members at the beginning of a JSON object whose end is missing: what a line that is too long to hold still tells.
enum TruncatedJSON {
    struct Found {
        let value: JSONValue
        /// The text that the cut went through, as far as it is there.
        let cutText: String?
    }

    /// - Parameter head: The first bytes of an object. A text that is cut keeps what is there of it, and everything open is closed.
    /// - Returns: Nil where nothing whole is left.
    static func value(of head: [UInt8]) -> Found? {
        guard let closed = closing(head), let value = try? JSONValue(parsingForeign: closed.bytes) else { return nil }
        let cutText = closed.text.flatMap { range in closed.bytes.withUnsafeBytes { JSONText.string($0, range) } }
        return Found(value: value, cutText: cutText)
    }

    /// Members that identify a record and stand behind its long part, taken from the last bytes of its line.
    static func names(in tail: [UInt8]) -> [String: JSONValue] {
        var names: [String: JSONValue] = [:]
        for key in ["uuid", "timestamp", "sessionId", "cwd", "gitBranch", "version"] {
            let pattern = Array("\"\(key)\":\"".utf8)
            guard tail.count > pattern.count,
                let start = (0...(tail.count - pattern.count)).last(where: { tail[$0...].starts(with: pattern) })
            else { continue }
            let first = start + pattern.count
            // Ids and paths have no quotation marks; what has is not taken.
            guard let end = tail[first...].firstIndex(of: UInt8(ascii: "\"")),
                !tail[first..<end].contains(UInt8(ascii: "\\")),
                let text = String(validating: tail[first..<end], as: UTF8.self)
            else { continue }
            names[key] = .string(text)
        }
        return names
    }

    /// An open object or array: the text that has to follow to complete the JSON.
    private struct Open {
        let closer: UInt8
        /// In an object: a key comes next or is being read.
        var expectsKey: Bool
        /// Where the containing text would be whole if it were cut there and closed.
        var cut: Int
    }

    private static func closing(_ bytes: [UInt8]) -> (bytes: [UInt8], text: Range<Int>?)? {
        var open: [Open] = []
        var index = 0
        var stringStart: Int?
        var lastEscape = -1
        while index < bytes.count {
            let byte = bytes[index]
            if stringStart != nil {
                if byte == UInt8(ascii: "\\") {
                    lastEscape = index
                    index += 2
                    continue
                }
                if byte == UInt8(ascii: "\"") {
                    stringStart = nil
                    if var top = open.popLast() {
                        if !top.expectsKey { top.cut = index + 1 }
                        open.append(top)
                    }
                }
                index += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                stringStart = index
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < 64 else { return nil }
                let isObject = byte == UInt8(ascii: "{")
                open.append(
                    Open(closer: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), expectsKey: isObject, cut: index + 1)
                )
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard let closed = open.popLast(), closed.closer == byte, var top = open.popLast() else { return nil }
                top.cut = index + 1
                open.append(top)
            case UInt8(ascii: ","):
                guard var top = open.popLast() else { return nil }
                // A value before a comma is complete, also a number.
                top.cut = index
                top.expectsKey = top.closer == UInt8(ascii: "}")
                open.append(top)
            case UInt8(ascii: ":"):
                guard var top = open.popLast() else { return nil }
                top.expectsKey = false
                open.append(top)
            default: break
            }
            index += 1
        }
        guard let top = open.last else { return nil }
        var whole: ArraySlice<UInt8>
        var text: Range<Int>?
        if let stringStart, !top.expectsKey {
            // A text that is cut: without half an escape or half a character. `\uXXXX` is six bytes, and a pair of them twelve.
            var end = bytes.count
            // The last escape may belong to an earlier text, a few bytes before this one begins.
            if lastEscape > stringStart, bytes.count - lastEscape < 12 {
                var first = lastEscape
                while first - 6 > stringStart, bytes[first - 6] == UInt8(ascii: "\\"),
                    bytes[first - 5] == UInt8(ascii: "u")
                {
                    first -= 6
                }
                end = first
            }
            whole = bytes[..<end]
            whole = whole.dropLast(UTF8Check.cutSuffix(of: whole))
            whole.append(UInt8(ascii: "\""))
            text = stringStart..<whole.endIndex
        } else {
            whole = bytes[..<top.cut]
        }
        for container in open.reversed() { whole.append(container.closer) }
        return (Array(whole), text)
    }
}
