import Foundation

/// The small JSON files of a store, which only this device writes and reads.
enum StoreJSON {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return Array(try encoder.encode(value))
        } catch {
            preconditionFailure("a value of texts and whole numbers has a JSON")
        }
    }

    /// Nil for bytes that are not such a value.
    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
