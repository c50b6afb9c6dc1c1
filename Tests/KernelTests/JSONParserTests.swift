import Foundation
import Kernel
import KernelTesting
import Testing

@Suite("JSON made into values", .timeLimit(.minutes(4)))
struct JSONParserTests {
    @Test(
        "what is not JSON is refused as corrupted data",
        arguments: FrameScannerTests.refused + [
            "\u{FEFF}1", "1 2", "\"\t\"", "\"\\u00e\"", "\"\\ud800\\u0041\"", "[1,2", "{\"a\":1,\"a\":1}", "1e999",
            "-1e999", "{\"é\":1,\"e\u{301}\":2}", "{\"a\":1,\"\\u0061\":2}",
        ]
    )
    func refused(text: String) {
        expectRefused(Array(text.utf8))
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]]
    )
    func notUTF8(bytes: [UInt8]) {
        expectRefused(bytes)
    }

    private func expectRefused(_ bytes: [UInt8]) {
        #expect {
            try JSONValue(parsing: bytes)
        } throws: { error in
            if case DecodingError.dataCorrupted = error { true } else { false }
        }
    }

    @Test("128 containers inside each other are read, one more is refused")
    func depth() throws {
        let deepest = Array(repeating: UInt8(ascii: "["), count: 128) + Array(repeating: UInt8(ascii: "]"), count: 128)
        #expect(try JSONValue(parsing: deepest).canonicalBytes == deepest)
        expectRefused([UInt8(ascii: "[")] + deepest + [UInt8(ascii: "]")])
        expectRefused(Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        // Side by side they are not inside each other.
        let flat = "[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: flat.utf8).arrayValue?.count == 1000)
    }

    @Test(
        "numbers are integers when they are whole and fit",
        arguments: [
            ("0", JSONValue.integer(0)), ("-0", 0), ("1.0", 1), ("1e3", 1000), ("1.5", .number(1.5)),
            ("-2.5E-1", .number(-0.25)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1E+2", 100), ("0e999", 0), ("1e-999", 0),
            ("5e-324", .number(.leastNonzeroMagnitude)),
        ]
    )
    func numbers(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text.utf8) == value)
    }

    @Test("escapes are read, surrogate pairs as one character")
    func escapes() throws {
        #expect(
            try JSONValue(parsing: #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000é😀""#.utf8)
                == .string("\"\\/\u{8}\u{c}\n\r\té😀\u{0}é😀")
        )
    }

    @Test("bytes that do not lie side by side are read as well")
    func sequences() throws {
        #expect(try JSONValue(parsing: AnySequence("[1]".utf8)) == [1])
    }

    @Test("random texts give what Foundation's decoder gives, whole and with a byte changed", arguments: 0..<8)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            var bytes = Array(text(depth: 0, &generator).utf8)
            try expectSame(bytes)
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] = Array("{}[]\",:\\0e-.tnu \u{1}é".utf8).randomElement(using: &generator) ?? 0
            try expectSame(bytes)
        }
    }

    /// Foundation also reads some of what is not JSON, and takes the first of two keys: there, ours has to refuse.
    private func expectSame(_ bytes: [UInt8]) throws {
        let ours = try? JSONValue(parsing: bytes)
        let theirs = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        guard let ours else {
            let isStillJSON = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            #expect(theirs == nil || !isStillJSON || hasTwins(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            return
        }
        #expect(theirs == ours, "\(String(decoding: bytes, as: UTF8.self))")
        #expect(try JSONValue(parsing: ours.canonicalBytes) == ours)
    }

    /// Keys of generated texts are numbered, so only a changed byte can make two of them equal.
    private func hasTwins(_ bytes: [UInt8]) -> Bool {
        // A reason that names the twins is the only one that counts here.
        do {
            _ = try JSONValue(parsing: bytes)
            return false
        } catch {
            return "\(error)".contains("comes twice")
        }
    }

    private func text(depth: Int, _ generator: inout SeededGenerator) -> String {
        let space = ["", "", " ", "\n", "\t\r "].randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<(depth > 5 ? 6 : 9), using: &generator) {
        case 0: return space + "null"
        case 1: return space + "true"
        case 2: return "false" + space
        case 3:
            return String(
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator)
            )
        case 4: return "\(Double.random(in: -1000...1000, using: &generator))"
        case 5: return quoted(&generator)
        case 6:
            let count = Int.random(in: 0..<5, using: &generator)
            return "[" + (0..<count).map { _ in text(depth: depth + 1, &generator) + space }.joined(separator: ",")
                + space + "]"
        default:
            let members = (0..<Int.random(in: 0..<5, using: &generator)).map { index in
                "\"\(index)\(quoted(&generator).dropFirst())\(space):\(text(depth: depth + 1, &generator))"
            }
            return space + "{" + space + members.joined(separator: "," + space) + "}"
        }
    }

    private func quoted(_ generator: inout SeededGenerator) -> String {
        let pieces = [
            "a", "text of some length", "é", "😀", #"\n"#, #"\""#, #"\\"#, #"\u0041"#, #"\ud83d\ude00"#, #"\/"#, "漢",
            "/",
        ]
        let count = Int.random(in: 0..<6, using: &generator)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "\""
    }
}
