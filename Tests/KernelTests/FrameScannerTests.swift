import Foundation
import Kernel
import Testing

@Suite("Scanning a frame without decoding it", .timeLimit(.minutes(4)))
struct FrameScannerTests {
    private func text(_ frame: String, _ range: Range<Int>?) -> String? {
        range.map { String(decoding: Array(frame.utf8)[$0], as: UTF8.self) }
    }

    @Test("the four keys are found with their whole values, whatever stands around them")
    func ranges() throws {
        let frame =
            " {\n\"a\":[1,{\"to\":2}], \"to\" : \"x y\" ,\"payload\":{\"b\":[true,null,-1.5e+3]},\"type\":\"message\",\"from\":12}\t"
        let scanned = try FrameScanner.scan(Array(frame.utf8))
        #expect(scanned.kind == .object)
        #expect(text(frame, scanned.type) == "\"message\"")
        #expect(text(frame, scanned.to) == "\"x y\"")
        #expect(text(frame, scanned.from) == "12")
        #expect(text(frame, scanned.payload) == "{\"b\":[true,null,-1.5e+3]}")
    }

    @Test(
        "what is JSON but no object is told apart from null",
        arguments: [
            ("null", ScannedFrame.Kind.null), ("[]", .other), ("42", .other), ("\"s\"", .other), (" true ", .other),
        ]
    )
    func otherKinds(frame: String, kind: ScannedFrame.Kind) throws {
        #expect(try FrameScanner.scan(Array(frame.utf8)).kind == kind)
    }

    static let refused = [
        "", " ", "{", "}", "{not json", "{\"a\":tru}", "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\":}", "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":[1}",
        "{\"a\":1]", "[1]]",
        "{\"a\":1}{", "nul", "nulll", "{\"a\":\"\u{1}\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\udc00\"}", "{\"a\":\"open}", "{a:1}", "{\"a\":'b'}", "{\"a\":NaN}", "{\"a\":1 2}", "[1 2]",
        "{\"a\":\"\\\"}",
    ]

    @Test("what no decoder accepts is refused, whatever was known of the bytes", arguments: refused)
    func refusals(frame: String) {
        let bytes = Array(frame.utf8)
        #expect(throws: FrameScanError.self) { try FrameScanner.scan(bytes) }
        let facts = ByteFacts(
            hasNonASCII: bytes.contains { $0 >= 0x80 },
            hasControl: bytes.contains { $0 < 0x20 },
            hasBackslash: bytes.contains(UInt8(ascii: "\\"))
        )
        #expect(throws: FrameScanError.self) { try FrameScanner.scan(bytes, facts: facts) }
    }

    @Test(
        "a key that two decoders could read differently is refused",
        arguments: [
            #"{"to":"a","to":"b"}"#, #"{"t\u006f":"a"}"#, #"{"to":"b","t\u006f":"a"}"#, #"{"\u0074ype":"message"}"#,
            #"{"payload":1,"payload":2}"#, #"{"fro\u006d":1}"#,
        ]
    )
    func ambiguous(frame: String) {
        #expect(throws: FrameScanError.ambiguousKey) { try FrameScanner.scan(Array(frame.utf8)) }
    }

    @Test("other keys may repeat and hold escapes")
    func harmlessKeys() throws {
        let frame = #"{"x":1,"x":2,"\"to":3,"to":"a"}"#
        #expect(text(frame, try FrameScanner.scan(Array(frame.utf8)).to) == "\"a\"")
    }

    @Test("63 levels pass and 64 do not")
    func depth() throws {
        func nested(_ levels: Int) -> [UInt8] {
            Array(
                ("{\"payload\":" + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
                    + "}").utf8
            )
        }
        #expect(try FrameScanner.scan(nested(63)).payload != nil)
        #expect(throws: FrameScanError.tooDeep) { try FrameScanner.scan(nested(64)) }
    }

    @Test("members lists every key decoded, and refuses any that comes twice")
    func members() throws {
        let frame = #"{"a\n":1, "b" : {"c":2}}"#
        let members = try Array(frame.utf8).withUnsafeBytes { try FrameScanner.members($0) }
        #expect(members.map(\.key) == ["a\n", "b"])
        #expect(members.map { text(frame, $0.valueRange) } == ["1", "{\"c\":2}"])
        #expect(throws: FrameScanError.ambiguousKey) {
            try Array(#"{"b":1,"\u0062":2}"#.utf8).withUnsafeBytes { try FrameScanner.members($0) }
        }
    }

    @Test(
        "a string's characters are what a decoder reads",
        arguments: [
            #""plain""#, #""""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\ud83d\ude00x""#, "\"é😀\"",
        ]
    )
    func strings(token: String) throws {
        let bytes = Array(token.utf8)
        let decoded = try JSONDecoder().decode(String.self, from: Data(bytes))
        #expect(bytes.withUnsafeBytes { JSONText.string($0, 0..<bytes.count) } == decoded)
    }

    @Test(
        "truth is JavaScript's",
        arguments: [
            ("\"\"", false), ("\"a\"", true), ("0", false), ("-0.0e5", false), ("0.1", true), ("10", true),
            ("null", false),
            ("false", false), ("true", true), ("{}", true), ("[]", true),
        ]
    )
    func truth(token: String, expected: Bool) {
        let bytes = Array(token.utf8)
        #expect(bytes.withUnsafeBytes { JSONText.isTruthy($0, 0..<bytes.count) } == expected)
    }

    @Test("on 20,000 mangled frames it agrees with a decoder: never a looser grammar, never another `to`")
    func agreesWithDecoder() throws {
        let seeds = [
            #"{"type":"message","to":"pc-77","payload":{"k":[1,2.5e-3,{"x":null}],"t":"a\"b\\c\u0041"},"id":"m"}"#,
            #"{"to":"é","from":"\ud83d\ude00","payload":[[],{},"",0,-1,true,false]}"#,
        ].map { Array($0.utf8) }
        let alphabet = Array(#"{}[]",:\0123456789eE+-.tfnu abcdé"#.utf8) + [0, 0x1F, 0x80, 0xFF]
        var generator = SplitMix(state: 7)
        for round in 0..<20_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = alphabet.randomElement(using: &generator) ?? 0
                case 1: bytes.remove(at: index)
                default: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: index)
                }
            }
            guard UTF8Check.isValid(bytes), let scanned = try? FrameScanner.scan(bytes) else { continue }
            guard scanned.kind == .object else { continue }
            let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            let to = scanned.to.flatMap { range in bytes.withUnsafeBytes { JSONText.string($0, range) } }
            #expect(object["to"] as? String == to, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

/// Random numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

@Suite("Checking UTF-8", .timeLimit(.minutes(4)))
struct UTF8CheckTests {
    @Test(
        "well-formed text passes",
        arguments: ["", "plain", "12345678", "é", "€uro and 😀 beyond eight", "\u{10FFFF}"]
    )
    func valid(text: String) { #expect(UTF8Check.isValid(text.utf8)) }

    @Test(
        "ill-formed bytes do not",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x61, 0xFF], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x28, 0x80],
        ] as [[UInt8]]
    )
    func invalid(bytes: [UInt8]) { #expect(!UTF8Check.isValid(bytes)) }
}
