import Foundation
import Kernel
import Testing

/// The published vectors, as files beside the tests.
enum Fixture {
    static func read<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
        return try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }

    static func bytes(_ hexadecimal: String) throws -> [UInt8] {
        try #require(Hexadecimal.decode(hexadecimal))
    }
}
