import Foundation
import Kernel
import KernelTesting
import Testing

@Suite("Values made of types, and types read from values", .timeLimit(.minutes(4)))
struct JSONValueCodingTests {
    /// A thing that is written by our encoder, and by Foundation's with our parser behind it.
    struct Writing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ours: @Sendable () throws -> JSONValue
        let theirs: @Sendable () throws -> JSONValue

        init<Value: Encodable & Sendable>(_ thing: Value) {
            testDescription = "\(Value.self): \(thing)"
            ours = { try JSONValue(encoding: thing) }
            theirs = { try JSONValue(parsing: JSONEncoder().encode(thing)) }
        }
    }

    /// A type that is read by our decoder, and by Foundation's from the value's canonical text.
    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether both read the same, or both refuse.
        let agrees: @Sendable (JSONValue) -> Bool
        let isRead: @Sendable (JSONValue) -> Bool

        init<Value: Decodable & Equatable & Sendable>(_ type: Value.Type) {
            testDescription = "\(type)"
            agrees = { value in
                let ours = try? value.decode(as: Value.self)
                let theirs = try? JSONDecoder().decode(Value.self, from: Data(value.canonicalBytes))
                return ours == theirs
            }
            isRead = { (try? $0.decode(as: Value.self)) != nil }
        }
    }

    enum Colour: String, Codable, Hashable, Sendable {
        case red
        case green
    }

    struct Inner: Codable, Hashable, Sendable {
        var number = 1
        var list = ["a", "b"]
        var nothing: String?
    }

    struct Everything: Codable, Hashable, Sendable {
        var text = "a\"é\u{1}\n😀/"
        var flag = true
        var whole = 9_007_199_254_740_993
        var tiny: Int8 = -8
        var short: Int16 = -16
        var middle: Int32 = -32
        var long = Int64.min
        var natural: UInt = 7
        var byte: UInt8 = 255
        var unsignedShort: UInt16 = .max
        var unsignedMiddle: UInt32 = .max
        var unsignedLong: UInt64 = 1 << 62
        var fraction = 0.1
        var wholeFraction = 3.0
        var single: Float = 0.1
        var date = Date(timeIntervalSinceReferenceDate: 812_345_678.25)
        var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var data = Data([0, 1, 254, 255])
        var url = URL(string: "https://example.org/a%20b/?c=d") ?? URL(filePath: "/")
        var colour = Colour.green
        var inner = Inner(nothing: "x")
        var inners = [Inner(), Inner(number: 2)]
        var byName = ["one": 1, "two": 2]
        var byNumber = [1: "one"]
        var set: Set<Int> = [5]
        var absent: Int?
        var present: Int? = 5
        var value: JSONValue = ["a": [1, .number(2.5), nil, true, "t", ["deep": []]]]
        var noValue: JSONValue?
    }

    /// A type that has two containers of its encoder, and lets another one write into the same object.
    struct Together: Codable, Hashable, Sendable {
        var inner = Inner()
        var more = "m"

        enum CodingKeys: String, CodingKey {
            case more
            case again
        }

        init() {}

        init(from decoder: any Decoder) throws {
            inner = try Inner(from: decoder)
            more = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .more)
        }

        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: CodingKeys.self)
            try first.encode(more, forKey: .more)
            try inner.encode(to: encoder)
            var second = encoder.container(keyedBy: CodingKeys.self)
            try second.encode(more, forKey: .again)
            try second.encode(more + "!", forKey: .more)
        }
    }

    /// A type with containers inside its containers.
    struct Nested: Codable, Hashable, Sendable {
        var numbers = [1, 2]
        var text = "t"

        enum Keys: String, CodingKey {
            case outer
            case list
            case text
            case empty
        }

        init() {}

        init(from decoder: any Decoder) throws {
            let top = try decoder.container(keyedBy: Keys.self)
            text = try top.nestedContainer(keyedBy: Keys.self, forKey: .outer).decode(String.self, forKey: .text)
            var list = try top.nestedUnkeyedContainer(forKey: .list)
            numbers = []
            var inner = try list.nestedUnkeyedContainer()
            while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
            _ = try list.nestedContainer(keyedBy: Keys.self).decode(String.self, forKey: .text)
            guard try list.decodeNil(), list.isAtEnd, list.currentIndex == list.count else {
                throw DecodingError.dataCorruptedError(in: list, debugDescription: "the list does not end with null")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var top = encoder.container(keyedBy: Keys.self)
            var outer = top.nestedContainer(keyedBy: Keys.self, forKey: .outer)
            var list = top.nestedUnkeyedContainer(forKey: .list)
            _ = top.nestedContainer(keyedBy: Keys.self, forKey: .empty)
            var inner = list.nestedUnkeyedContainer()
            for number in numbers { try inner.encode(number) }
            // A part is written to after the next one was begun.
            try outer.encode(text, forKey: .text)
            var member = list.nestedContainer(keyedBy: Keys.self)
            try list.encodeNil()
            try member.encode(text, forKey: .text)
        }
    }

    class Base: Codable {
        let name: String

        init(name: String) { self.name = name }
    }

    final class Derived: Base {
        let number: Int

        enum CodingKeys: String, CodingKey { case number }

        init(name: String, number: Int) {
            self.number = number
            super.init(name: name)
        }

        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            number = try members.decode(Int.self, forKey: .number)
            try super.init(from: members.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(number, forKey: .number)
            try super.encode(to: members.superEncoder())
        }
    }

    struct Nothing: Encodable, Sendable {
        func encode(to encoder: any Encoder) {}
    }

    static let things: [Writing] = [
        Writing("text"), Writing(true), Writing(Int64.max), Writing(Int64.min), Writing(UInt64.max), Writing(UInt64(7)),
        Writing(0.1), Writing(-0.0), Writing(3.0), Writing(1e16), Writing(1e300), Writing(Double.leastNonzeroMagnitude),
        Writing(9_223_372_036_854_775_808.0),
        Writing(Float(0.1)), Writing(Float(16_777_216)), Writing(Date(timeIntervalSinceReferenceDate: 0)),
        Writing(Date(timeIntervalSince1970: 1_790_000_000.123)), Writing(Data([1, 2, 3])), Writing(Data()),
        Writing([1, 2, 3]), Writing([String]()), Writing([String: Int]()), Writing(["a": [1.5, 2]]),
        Writing([1: true]), Writing(nil as Int?), Writing([1, nil, 3] as [Int?]),
        Writing(["a": nil, "b": 2] as [String: Int?]),
        Writing(Colour.red), Writing([Colour.green]), Writing(Inner()), Writing([Inner(nothing: "n")]),
        Writing(Everything()), Writing(Together()), Writing(Nested()), Writing([Nested()]),
        Writing(["nothing": Nothing()]), Writing([Nothing()]),
        Writing([JSONValue.number(3), .number(-0.0), ["a": .number(1e16)], .number(2.5)] as [JSONValue]),
        Writing(["a": nil, "b": [nil, "x"]] as [String: JSONValue]),
    ]

    @Test("what Foundation's encoder and the parser make together, the encoder makes alone", arguments: things)
    func writing(thing: Writing) throws {
        let ours = try thing.ours()
        #expect(try ours == thing.theirs())
        // The kinds of numbers are the parser's, too.
        #expect(try JSONValue(parsing: ours.canonicalBytes) == ours)
    }

    @Test("a class and what it is derived from write and read each other's members")
    func classes() throws {
        let derived = Derived(name: "n", number: 3)
        let value = try JSONValue(encoding: derived)
        #expect(value == ["number": 3, "super": ["name": "n"]])
        #expect(try value == JSONValue(parsing: JSONEncoder().encode(derived)))
        let read = try value.decode(as: Derived.self)
        #expect(read.name == "n")
        #expect(read.number == 3)
    }

    @Test("a number that JSON does not have is refused at its place", arguments: [Double.infinity, -.infinity, .nan])
    func noNumber(number: Double) throws {
        #expect(throws: EncodingError.self) { try JSONValue(encoding: number) }
        #expect(throws: EncodingError.self) { try JSONValue(encoding: Float(number)) }
        do {
            _ = try JSONValue(encoding: ["list": [0.5, number]])
            Issue.record("a value was made")
        } catch EncodingError.invalidValue(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["list", "Index 1"])
        }
    }

    @Test("a thing that writes nothing of itself is no value, and inside of another one an empty object")
    func nothing() throws {
        #expect(throws: EncodingError.self) { try JSONValue(encoding: Nothing()) }
        #expect(try JSONValue(encoding: [Nothing()]) == [[:]])
    }

    @Test("a value inside of a thing is the one that its text is, and passes in both directions")
    func values() throws {
        let value: JSONValue = ["whole": .number(3), "none": .number(.infinity), "list": [.number(0.5)]]
        let parsed: JSONValue = ["whole": 3, "none": nil, "list": [.number(0.5)]]
        #expect(try JSONValue(encoding: ["value": value]) == ["value": parsed])
        #expect(try JSONValue.object(["value": value]).decode(as: [String: JSONValue].self) == ["value": parsed])
        // Deeper than the parser reads: what never was a text has no bound.
        let deep = (0..<200).reduce(JSONValue.null) { inner, _ in [inner] }
        #expect(try JSONValue(encoding: [deep]) == [deep])
        #expect(try JSONValue.array([deep]).decode(as: [JSONValue].self) == [deep])
    }

    static let types: [Reading] = [
        Reading(String.self), Reading(Bool.self), Reading(Int.self), Reading(Int8.self), Reading(Int16.self),
        Reading(Int32.self), Reading(Int64.self), Reading(UInt.self), Reading(UInt8.self), Reading(UInt16.self),
        Reading(UInt32.self), Reading(UInt64.self), Reading(Double.self), Reading(Float.self), Reading(Date.self),
        Reading(UUID.self), Reading(URL.self), Reading(Data.self), Reading(Colour.self), Reading(Int?.self),
        Reading([Int].self), Reading([Int?].self), Reading([String].self), Reading([[String]].self),
        Reading([String: Int].self), Reading([Int: String].self), Reading(Set<Int>.self),
        Reading(JSONValue?.self), Reading([JSONValue].self), Reading([String: JSONValue].self), Reading(Inner.self),
        Reading([Inner].self), Reading(Inner?.self), Reading(Everything.self), Reading(Together.self),
        Reading(Nested.self),
    ]

    /// Values that some of the types read and others refuse.
    private static func candidates() throws -> [JSONValue] {
        let inner: JSONValue = ["number": 1, "list": ["a"]]
        let whole = try [
            JSONValue(encoding: Everything()), JSONValue(encoding: Together()), JSONValue(encoding: Nested()),
        ]
        // Each member left out, null, and of another kind.
        let broken = whole.flatMap { value in
            (value.objectValue ?? [:]).keys.flatMap { key -> [JSONValue] in
                var members = value.objectValue ?? [:]
                members[key] = nil
                return [.object(members), value.adding(key, .null), value.adding(key, ["other": "kind"])]
            }
        }
        let plain: [JSONValue] = [
            nil, true, false, 0, 1, -1, 127, 128, -128, -129, 255, 256, 65_536, .integer(.max), .integer(.min),
            9_007_199_254_740_993, .number(3), .number(-0.0), .number(0.5), .number(1e300), "", "text", "red", "blue",
            "AQID", "AQ", "https://example.org/a?b", "not a url with é",
            "01020304-0506-0708-090A-0B0C0D0E0F10", [], [1, 2], [1, nil], [1, .number(1.5)], ["a", "b"], [["a"], []],
            [nil], [1, "a"], [:], ["a": 1], ["1": "one"], ["a": nil], ["a": "x"], inner, [inner, inner], [inner, nil],
            inner.adding("nothing", "n"), inner.adding("nothing", nil), inner.adding("nothing", 3),
            inner.adding("list", nil), inner.adding("list", [1]), inner.adding("number", .number(2)),
            inner.adding("number", "2"), inner.adding("unknown", ["x": 1]), ["number": 1], ["list": []],
        ]
        return whole + broken + plain
    }

    @Test("a type is read from each value as Foundation's decoder reads it, or refused as there", arguments: types)
    func reading(type: Reading) throws {
        for value in try Self.candidates() { #expect(type.agrees(value), "\(value.canonicalText)") }
        #expect(try Self.candidates().contains { type.isRead($0) })
    }

    @Test("random values are read as Foundation's decoder reads them", arguments: 0..<8)
    func random(seed: UInt64) throws {
        let sample = try JSONValue(encoding: Everything())
        let names = (sample.objectValue ?? [:]).keys.sorted()
        var fuzzed = FuzzedJSON(seed: seed, names: names, texts: ["red", "AQID", "a"])
        for _ in 0..<60 {
            let value = fuzzed.variation(of: sample)
            for type in Self.types { #expect(type.agrees(value), "\(type.testDescription): \(value.canonicalText)") }
        }
    }

    @Test("whatever is written is read again")
    func roundTrip() throws {
        #expect(try JSONValue(encoding: Everything()).decode(as: Everything.self) == Everything())
        #expect(try JSONValue(encoding: Nested()).decode(as: Nested.self) == Nested())
        #expect(try JSONValue(encoding: Together()).decode(as: Together.self).more == "m!")
    }

    @Test(
        "a value that does not fit is refused at its place",
        arguments: [
            (["number": "x"], "number"), (["number": nil], "number"), (["number": .number(0.5)], "number"),
            (["number": 1, "list": ["a", 2]], "list.Index 1"), (["number": 1, "list": ["a", nil]], "list.Index 1"),
            (["number": 1, "list": [:]], "list"), ([], ""), ("x", ""), (nil, ""), (.number(.nan), ""),
        ] as [(JSONValue, String)]
    )
    func places(value: JSONValue, place: String) throws {
        #expect(path(of: value, as: Inner.self) == place)
        let inside = ["Index 1", place].filter { !$0.isEmpty }.joined(separator: ".")
        #expect(path(of: [["number": 1, "list": []], value], as: [Inner].self) == inside)
    }

    /// The place that a decoder's error names; nil where there is none.
    private func path<Value: Decodable>(of value: JSONValue, as type: Value.Type) -> String? {
        do {
            _ = try value.decode(as: type)
            return nil
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            return context.codingPath.map(\.stringValue).joined(separator: ".")
        } catch {
            return nil
        }
    }

    @Test("a member that is missing is named, with the place of its object")
    func missing() throws {
        do {
            _ = try JSONValue.array([["number": 1]]).decode(as: [Inner].self)
            Issue.record("the list was read")
        } catch DecodingError.keyNotFound(let key, let context) {
            #expect(key.stringValue == "list")
            #expect(context.codingPath.map(\.stringValue) == ["Index 0"])
        }
    }

    @Test("an array that is over has no more elements, and an element that was refused may be read as another type")
    func elements() throws {
        struct Mixed: Decodable {
            var read: [String] = []
            let isOver: Bool

            init(from decoder: any Decoder) throws {
                var elements = try decoder.unkeyedContainer()
                while !elements.isAtEnd {
                    if let number = try? elements.decode(Int.self) {
                        read.append("\(number)")
                    } else {
                        read.append(try elements.decode(String.self))
                    }
                }
                isOver = (try? elements.decode(Int.self)) == nil
            }
        }
        let mixed = try JSONValue.array([1, "two", 3]).decode(as: Mixed.self)
        #expect(mixed.read == ["1", "two", "3"])
        #expect(mixed.isOver)
    }

    @Test("a number is read as each type that holds it, whichever way it was made")
    func numbers() throws {
        #expect(try JSONValue.number(1e16).decode(as: Int.self) == 10_000_000_000_000_000)
        #expect(try JSONValue.number(1e19).decode(as: UInt64.self) == 10_000_000_000_000_000_000)
        #expect(throws: DecodingError.self) { try JSONValue.number(1e19).decode(as: Int64.self) }
        #expect(try JSONValue.integer(.max).decode(as: Double.self) == 9_223_372_036_854_775_808)
        for tooMuch in [1e300, 1e-300] {
            #expect(throws: DecodingError.self) { try JSONValue.number(tooMuch).decode(as: Float.self) }
        }
    }
}
