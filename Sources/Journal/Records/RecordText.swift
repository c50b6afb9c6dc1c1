import Kernel

/// Puts the canonical text of one record together, member by member, without a tree of values: the caller names the members in the order of their
/// bytes. A journal has tens of thousands of stories and places in categories, and for those the trees took longer than everything else.
struct RecordText {
    private var bytes: [UInt8]
    private var isFirst = true

    /// - Parameter bytes: What stands before the record. Taken out of the caller's place until ``end(in:)``, since an array that is in two places is
    ///   copied when something is appended.
    init(after bytes: inout [UInt8]) {
        self.bytes = []
        swap(&self.bytes, &bytes)
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// An optional member without a value is left out.
    mutating func add(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        begin(key)
        JSONValue.appendQuoted(text, to: &bytes)
    }

    mutating func add(_ key: StaticString, _ flag: Bool) {
        begin(key)
        bytes += (flag ? "true" : "false").utf8
    }

    mutating func add(_ key: StaticString, _ value: JSONValue) {
        begin(key)
        bytes += value.canonicalBytes
    }

    /// A whole number is written as one, as ``RecordWriter/set(_:number:)`` does it.
    mutating func add(_ key: StaticString, number: Double) {
        if let whole = Int64(exactly: number) { return add(key, .integer(whole)) }
        add(key, .number(number))
    }

    /// The seconds, and the exact milliseconds under a key of their own.
    mutating func add(_ key: StaticString, _ exactKey: StaticString, moment: Int64) {
        begin(key)
        bytes += String(moment / 1000 - (moment % 1000 < 0 ? 1 : 0)).utf8
        begin(exactKey)
        bytes += String(moment).utf8
    }

    /// Ends the record and gives everything back.
    mutating func end(in place: inout [UInt8]) {
        bytes.append(UInt8(ascii: "}"))
        swap(&bytes, &place)
    }

    /// The keys of records need no escapes.
    private mutating func begin(_ key: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }
}
