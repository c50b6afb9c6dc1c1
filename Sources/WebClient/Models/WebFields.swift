/// The header fields of a request or an answer, in their order. Names are compared without case (RFC 9110 section 5.1).
public struct WebFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of that name; nil without one.
    public subscript(name: String) -> String? { fields.first { Self.isSame($0.name, name) }?.value }

    /// Every value of that name.
    public func values(of name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Sets one value in place of all of that name.
    public mutating func set(_ name: String, _ value: String) {
        fields.removeAll { Self.isSame($0.name, name) }
        add(name, value)
    }

    /// Bytes of all names and values, with the 4 that HTTP/1.1 writes around each pair.
    public var byteCount: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }

    /// Checks what is about to be sent: a line break in a value would begin another field or another request.
    ///
    /// - Throws: ``WebClientError/malformedField(_:)``.
    public func check() throws(WebClientError) {
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isTokenByte) else {
                throw .malformedField(String(field.name.prefix(40)))
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                throw .malformedField(field.name)
            }
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) || one.lowercased() == other.lowercased()
    }

    /// The characters of a name, RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
