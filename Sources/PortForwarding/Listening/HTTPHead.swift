/// The head of a request or an answer of HTTP/1, as far as a forwarder has to know it. Everything that it does not change stays as it came.
struct HTTPHead: Hashable {
    /// Bytes of a head at most.
    static let limit = 64 << 10
    private static let end = Array("\r\n\r\n".utf8)

    struct Field: Hashable {
        /// As it came; compared in lower case.
        var name: String
        /// Without spaces around it.
        var value: [UInt8]

        var text: String { String(decoding: value, as: UTF8.self) }
    }

    /// The request's or the status' line.
    var first: String
    var fields: [Field]

    /// The number of bytes of a head at the beginning of `bytes`, with its empty line; nil while that has not come.
    ///
    /// - Parameter known: Bytes at the beginning that were looked at before, in which no head ends.
    static func length(in bytes: [UInt8], behind known: Int = 0) -> Int? {
        var index = max(0, known - end.count + 1)
        while index + end.count <= bytes.count {
            // Most steps are one comparison.
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
                return index + end.count
            }
            index += 1
        }
        return nil
    }

    /// - Parameter bytes: With the empty line.
    /// - Returns: Nil for one that two programs could read differently: a line that is folded, ends by a line feed alone or has a space before its colon.
    init?(_ bytes: ArraySlice<UInt8>) {
        let head = bytes.dropLast(Self.end.count)
        guard !head.contains(0) else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        var rest = head
        while let feed = rest.firstIndex(of: 0x0A) {
            guard feed > rest.startIndex, rest[feed - 1] == 0x0D else { return nil }
            lines.append(rest[..<(feed - 1)])
            rest = rest[(feed + 1)...]
        }
        lines.append(rest)
        guard let line = lines.first, !line.isEmpty, !lines.contains(where: { $0.contains(0x0D) }) else { return nil }
        first = String(decoding: line, as: UTF8.self)
        fields = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
            let name = line[..<colon]
            guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            let value = line[(colon + 1)...].trimmingSpaces
            fields.append(Field(name: String(decoding: name, as: UTF8.self), value: Array(value)))
        }
    }

    /// As it travels, with the empty line.
    var bytes: [UInt8] {
        var bytes = Array(first.utf8) + [0x0D, 0x0A]
        for field in fields {
            bytes += field.name.utf8
            bytes += [0x3A, 0x20]
            bytes += field.value
            bytes += [0x0D, 0x0A]
        }
        return bytes + [0x0D, 0x0A]
    }

    /// - Parameter name: In lower case.
    func values(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.text) }

    /// Whether a list of words in fields of this name has one, in any case.
    func has(_ word: String, in name: String) -> Bool {
        values(name).contains { value in
            value.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == word }
        }
    }

    mutating func remove(_ name: String) { fields.removeAll { $0.name.lowercased() == name } }

    /// Sets the value of every field of a name; adds none.
    mutating func replace(_ name: String, _ change: (String) -> String?) {
        for index in fields.indices where fields[index].name.lowercased() == name {
            if let value = change(fields[index].text) { fields[index].value = Array(value.utf8) }
        }
    }

    mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: Array(value.utf8))) }

    /// The status of an answer; nil for what is none.
    var status: Int? {
        let parts = first.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3 else { return nil }
        return Int(parts[1])
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingSpaces: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first == 0x20 || first == 0x09 { slice = slice.dropFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice = slice.dropLast() }
        return slice
    }
}
