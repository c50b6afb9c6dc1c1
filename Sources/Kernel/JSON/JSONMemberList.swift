/// The members of one JSON object as a list in the order of its text, without an index by key: for many objects of a few members, each of which is
/// looked for once.
package struct JSONMemberList: Sendable {
    package typealias Member = (key: String, value: JSONValue)

    /// The keys that are expected, so that their texts are not made anew for each object. Others are taken as well.
    package struct Keys: Sendable {
        fileprivate let names: [String]
        fileprivate let bytes: [[UInt8]]

        /// - Parameter keys: In any order.
        package init(_ keys: [StaticString]) {
            names = keys.map(\.description).sorted()
            bytes = names.map { Array($0.utf8) }
        }

        var count: Int { names.count }

        /// The expected key of these bytes. Members mostly come in the order of their keys: the one behind `place` is looked at first.
        func name(of key: UnsafeRawBufferPointer, behind place: inout Int) -> String? {
            for step in 0..<bytes.count {
                let index = (place + step) % bytes.count
                guard bytes[index].count == key.count, bytes[index].elementsEqual(key) else { continue }
                place = index + 1
                return names[index]
            }
            return nil
        }
    }

    /// No two of one key.
    package let list: [Member]

    /// - Throws: Where `JSONValue(parsing:)` does, and for anything but an object.
    package init(parsing bytes: [UInt8], expecting keys: Keys) throws {
        list = try bytes.withUnsafeBytes { try JSONParser.parseMembers($0, expecting: keys) }
    }

    package subscript(key: String) -> JSONValue? {
        for member in list where member.key == key { return member.value }
        return nil
    }
}
