import Foundation
import Testing

@testable import Kernel

@Suite("Encodings", .timeLimit(.minutes(4)))
struct EncodingTests {
    @Test("base64url gives back what it was given, without padding", arguments: 0..<70)
    func base64URL(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 251 &+ 7) }
        let text = Base64URL.encode(bytes)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test("base64url refuses anything outside its alphabet", arguments: ["A", "ab+d", "ab/d", "a b=", "äöüß", "AAAAA"])
    func base64URLRefuses(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("hexadecimal reads both cases and writes the lower one")
    func hexadecimal() {
        #expect(Hexadecimal.encode([0x00, 0xAB, 0x7F]) == "00ab7f")
        #expect(Hexadecimal.decode("00Ab7f") == [0x00, 0xAB, 0x7F])
        #expect(Hexadecimal.decode("0") == nil)
        #expect(Hexadecimal.decode("0g") == nil)
    }

    @Test("the canonical form sorts keys by bytes, drops white space and escapes only what it must")
    func canonical() throws {
        let value = try JSONValue(
            parsing: Data(#" { "b" : [1, 2.5, true, null], "a\u0041" : "\"\\\n\u0001é/" } "#.utf8)
        )
        #expect(value.canonicalText == #"{"aA":"\"\\\n\u0001é/","b":[1,2.5,true,null]}"#)
    }

    @Test("a value survives its canonical form")
    func roundTrip() throws {
        let value: JSONValue = ["n": 9_007_199_254_740_993, "s": "x", "list": [1, "two", nil, ["deep": false]]]
        #expect(try JSONValue(parsing: value.canonicalBytes) == value)
    }

    @Test("a value is itself as an encodable thing, whatever its numbers are, and where it is asked for as a value")
    func untouched() throws {
        let value: JSONValue = ["whole": .number(3), "list": [nil]]
        #expect(try JSONValue(encoding: value)["whole"] == .number(3))
        #expect(try JSONValue(encoding: value as JSONValue?) == value)
        #expect(try JSONValue(encoding: nil as JSONValue?) == .null)
        #expect(try value.decode(as: JSONValue.self) == value)
        #expect(try JSONValue.null.decode(as: JSONValue?.self) == nil)
    }

    @Test(
        "a number that no Swift type holds is refused, wherever it stands",
        arguments: ["1e999", "[1,-1e400]", #"{"a":{"b":1e999}}"#]
    )
    func notRepresentable(text: String) {
        #expect {
            try JSONValue(parsing: text.utf8)
        } throws: { error in
            if case DecodingError.dataCorrupted = error { true } else { false }
        }
    }

    @Test("accessors answer nil for another kind of value")
    func accessors() {
        let value: JSONValue = ["text": "t", "number": 3]
        #expect(value["text"]?.stringValue == "t")
        #expect(value["text"]?.integerValue == nil)
        #expect(value["number"]?.integerValue == 3)
        #expect(JSONValue.number(4).integerValue == 4)
        #expect(JSONValue.number(4.5).integerValue == nil)
        #expect(JSONValue.string("x")["key"] == nil)
    }

    @Test("a random id is a UUID of version 4 and variant 1, in small letters, and another each time")
    func uuid() throws {
        var seen: Set<String> = []
        for _ in 0..<1000 {
            let text = UUID.randomText()
            let parsed = try #require(UUID(uuidString: text))
            #expect(parsed.uuidString.lowercased() == text)
            #expect(parsed.uuid.6 >> 4 == 4)
            #expect(parsed.uuid.8 >> 6 == 2)
            seen.insert(text)
        }
        #expect(seen.count == 1000)
    }

    @Test("a payload that is a text is read as the JSON that it holds, within its limit; any other value is itself")
    func parsedIfText() {
        #expect(JSONValue.string(#"{"a":1}"#).parsedIfText() == ["a": 1])
        #expect(JSONValue.string(#"{"a":1}"#).parsedIfText(limit: 7) == ["a": 1])
        #expect(JSONValue.string(#"{"a":1}"#).parsedIfText(limit: 6) == nil)
        #expect(JSONValue.string("hello").parsedIfText() == nil)
        #expect(JSONValue.object(["a": 1]).parsedIfText(limit: 0) == ["a": 1])
        #expect(JSONValue.null.parsedIfText() == .null)
    }

    @Test(
        "the beginning of a character at the end of bytes is found, and nothing else is taken for one",
        arguments: [
            ([], 0), ([0x61], 0), ([0xC3], 1), ([0xC3, 0xA4], 0), ([0x61, 0xE2, 0x82], 2), ([0xF0, 0x9F, 0x98], 3),
            ([0xF0, 0x9F, 0x98, 0x80], 0), ([0xE0, 0x80], 0), ([0xC0], 0), ([0x80, 0x80, 0x80, 0x80], 0),
        ] as [([UInt8], Int)]
    )
    func cutSuffix(bytes: [UInt8], count: Int) {
        #expect(UTF8Check.cutSuffix(of: bytes) == count)
        #expect(UTF8Check.cutSuffix(of: ([0x7A] + bytes)[1...]) == count)
    }
}
