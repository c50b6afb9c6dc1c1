import Foundation
package import GRDB
import Kernel

/// A row as a line of JSON: an array of the table's place in the header and the values. Integers are numbers, texts strings, reals
/// `{"real":"0.1"}` (their shortest decimal text, which reads back as the same bits) and blobs `{"blob":"base64url"}`.
package struct SectionRow: Hashable, Sendable {
    /// Bytes of a line without its line feed: above the longest row of any store, below what memory feels.
    package static let byteLimit = 16 << 20

    package let table: Int
    package let values: [DatabaseValue]

    init(table: Int, values: [DatabaseValue]) {
        self.table = table
        self.values = values
    }

    /// The line with its line feed.
    var line: [UInt8] {
        let items = [JSONValue.integer(Int64(table))] + values.map(Self.json)
        return Array(JSONValue.array(items).canonicalText.utf8) + [0x0A]
    }

    /// - Parameter line: Without its line feed; at most ``byteLimit`` bytes.
    /// - Throws: ``SectionError/damaged(section:reason:)`` for anything that ``line`` does not write for such a header.
    init(_ line: some Collection<UInt8>, in header: SectionHeader) throws(SectionError) {
        func damaged(_ reason: String) -> SectionError { .damaged(section: header.name, reason: reason) }
        guard line.count <= Self.byteLimit else { throw damaged("a row is too long") }
        guard let value = try? JSONValue(parsing: line), let items = value.arrayValue,
            case .integer(let table)? = items.first, header.tables.indices.contains(Int(clamping: table))
        else { throw damaged("a row is no row of its tables") }
        let index = Int(table)
        guard items.count == header.tables[index].columns.count + 1 else { throw damaged("a row misses values") }
        var values: [DatabaseValue] = []
        values.reserveCapacity(items.count - 1)
        for item in items.dropFirst() {
            guard let value = Self.value(item) else { throw damaged("a value is of no known kind") }
            values.append(value)
        }
        (self.table, self.values) = (index, values)
    }

    private static func json(_ value: DatabaseValue) -> JSONValue {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .object(["real": .string("\(number)")])
        case .string(let text): .string(text)
        case .blob(let bytes): .object(["blob": .string(Base64URL.encode(Array(bytes)))])
        }
    }

    private static func value(_ item: JSONValue) -> DatabaseValue? {
        switch item {
        case .null: return .null
        case .integer(let number): return number.databaseValue
        case .string(let text): return text.databaseValue
        case .object(let members) where members.count == 1:
            if let text = members["real"]?.stringValue { return Double(text)?.databaseValue }
            return members["blob"]?.stringValue.flatMap { Base64URL.decode($0) }.map { Data($0).databaseValue }
        case .bool, .number, .array, .object: return nil
        }
    }
}
