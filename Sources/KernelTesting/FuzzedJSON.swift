public import Kernel

/// JSON as an attacker writes it, always the same for the same seed: what is right with something wrong in it, and what is wrong throughout.
public struct FuzzedJSON: Sendable {
    /// Ways out that lead nowhere: none names what a machine really has, so that a boundary that breaks costs a test and no file.
    private static let hostileTexts = [
        "", " ", ".", "..", "~", "//tandem-nowhere", "../outside/secret.txt", "~/../outside/secret.txt",
        "/tandem-nowhere/passwd",
        "/tandem-nowhere/../tandem-nowhere", "..\\outside\\secret.txt", "C:\\Windows", "a/../../outside", "./\u{0}",
        "\u{0}",
        "\u{FEFF}",
        "\u{EFAE}\u{EFAF}", "--", "-rf", "$(id)", "`id`", ";id", "%2e%2e%2f", "NaN", "-1", "true", "null", "{}", "👩‍👩‍👧‍👦",
        "did:key:z6Mk", "data:image/png;base64,", "====", "AAAA",
        String(repeating: "../", count: 40) + "tandem-nowhere/passwd",
    ]
    /// Beyond what some readers take.
    private static let longTexts = [
        String(repeating: "x", count: 300), String(repeating: "é", count: 2100), String(repeating: "/a", count: 2049),
    ]
    private static let hostileNumbers: [JSONValue] = [
        0, 1, -1, 2, 255, 256, 65_535, 65_536, 4095, 4096, 393_217, .integer(.max), .integer(.min),
        9_007_199_254_740_993,
        .number(0.5), .number(-0.5), .number(1e308), .number(1e-300), 1_000_001,
    ]

    private var generator: SeededGenerator
    private let names: [String]
    private let texts: [String]

    /// - Parameters:
    ///   - names: Members that mean something to who reads it.
    ///   - texts: Texts that do.
    public init(seed: UInt64, names: [String], texts: [String] = []) {
        generator = SeededGenerator(seed: seed)
        self.names = names
        self.texts = texts
    }

    /// A variation of `sample`, or something that has nothing to do with it.
    public mutating func variation(of sample: JSONValue) -> JSONValue {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: value(depth: 3)
        case 1, 2: object(depth: 2)
        default: changed(sample)
        }
    }

    /// `bytes` with a few of them changed, doubled, moved or gone.
    public mutating func variation(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8(ascii: "\""), at: place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
            }
        }
        return bytes
    }

    private mutating func changed(_ sample: JSONValue) -> JSONValue {
        guard var members = sample.objectValue else { return value(depth: 2) }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let known = members.keys.sorted().randomElement(using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: if let known { members[known] = nil }
            case 1: members[name()] = value(depth: 1)
            default: if let known { members[known] = replacement(of: members[known]) }
            }
        }
        return .object(members)
    }

    /// Mostly another text for a text: what is refused for its kind alone comes no further.
    private mutating func replacement(of value: JSONValue?) -> JSONValue {
        value?.stringValue != nil && generator.chance(0.7) ? .string(text()) : self.value(depth: 2)
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2, 3: Self.hostileNumbers.randomElement(using: &generator) ?? 0
        case 4, 5, 6: .string(text())
        case 7: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
        case 8: nested(Int.random(in: 1...60, using: &generator))
        default: object(depth: depth - 1)
        }
    }

    private mutating func object(depth: Int) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for _ in 0..<Int.random(in: 0...6, using: &generator) { members[name()] = value(depth: depth) }
        return .object(members)
    }

    private mutating func nested(_ depth: Int) -> JSONValue {
        (0..<depth).reduce(JSONValue.null) { inner, _ in .array([inner]) }
    }

    private mutating func name() -> String {
        if generator.chance(0.9), let name = names.randomElement(using: &generator) { return name }
        return text()
    }

    private mutating func text() -> String {
        if generator.chance(0.6), let text = texts.randomElement(using: &generator) { return text }
        return (generator.chance(0.03) ? Self.longTexts : Self.hostileTexts).randomElement(using: &generator) ?? ""
    }
}
