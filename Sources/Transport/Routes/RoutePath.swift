import Kernel

/// Which paths of a server a feature serves: `/threads/{thread}/media/{id}`, or `/pages/{file...}` for everything below.
public struct RoutePath: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case literal(Substring)
        /// One segment with any text.
        case parameter(String)
        /// All segments that are left, one at least.
        case rest(String)
    }

    /// The pattern as it was given.
    public let description: String
    private let parts: [Part]

    /// - Parameter pattern: Begins with `/` and is at most 256 bytes long. Between slashes stand letters, digits and `-._~`, or the name
    ///   of a parameter in braces; the last may end with `...` in its braces. `/` alone is the root, and one at the end belongs to the path.
    /// - Throws: ``RouteError/malformedPath(_:)``.
    public init(_ pattern: String) throws(RouteError) {
        guard pattern.hasPrefix("/"), pattern.utf8.count <= 256 else { throw .malformedPath(pattern) }
        let segments = pattern == "/" ? [] : pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var parts: [Part] = []
        var names: Set<String> = []
        for (index, segment) in segments.enumerated() {
            if segment.isEmpty, index > 0, index == segments.count - 1 {
                parts.append(.literal(segment))
                continue
            }
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                guard Self.isLiteral(segment) else { throw .malformedPath(pattern) }
                parts.append(.literal(segment))
                continue
            }
            var name = String(segment.dropFirst().dropLast())
            let isRest = name.hasSuffix("...")
            if isRest { name.removeLast(3) }
            guard Self.isLiteral(name[...]), names.insert(name).inserted, !isRest || index == segments.count - 1 else {
                throw .malformedPath(pattern)
            }
            parts.append(isRest ? .rest(name) : .parameter(name))
        }
        self.parts = parts
        description = pattern
    }

    /// The values of the parameters in `path`, with its escapes resolved; nil where the pattern does not fit.
    ///
    /// No segment of a parameter is empty, `.` or `..`, or holds a zero byte, with any escapes resolved: it may be used as a name
    /// below a folder, once `/` in a single segment is refused, too.
    ///
    /// - Parameter path: The path as in the request line, without the query.
    public func parameters(of path: Substring) -> [String: String]? {
        guard path.hasPrefix("/"), path.utf8.count <= 4096 else { return nil }
        let segments = path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var found: [String: String] = [:]
        for (index, part) in parts.enumerated() {
            guard index < segments.count else { return nil }
            switch part {
            case .literal(let text): guard segments[index] == text else { return nil }
            case .parameter(let name):
                guard let value = Self.value(segments[index]), !value.utf8.contains(UInt8(ascii: "/")) else {
                    return nil
                }
                found[name] = value
            case .rest(let name):
                let values = segments[index...].map(Self.value)
                guard values.allSatisfy({ $0 != nil }) else { return nil }
                found[name] = values.compactMap(\.self).joined(separator: "/")
                return found
            }
        }
        return segments.count == parts.count ? found : nil
    }

    /// Whether two patterns fit the same paths.
    func isSame(as other: RoutePath) -> Bool {
        parts.count == other.parts.count
            && zip(parts, other.parts).allSatisfy { left, right in
                switch (left, right) {
                case (.literal(let left), .literal(let right)): left == right
                case (.parameter, .parameter), (.rest, .rest): true
                default: false
                }
            }
    }

    private static func isLiteral(_ segment: Substring) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".."
            && segment.hasOnlyLettersAndDigits(or: "-._~")
    }

    private static func value(_ segment: Substring) -> String? {
        guard let text = PercentCoding.decode(segment), !text.isEmpty,
            !text.split(separator: "/", omittingEmptySubsequences: false).contains(where: { [".", ".."].contains($0) }),
            !text.utf8.contains(0)
        else { return nil }
        return text
    }
}

/// Escapes of RFC 3986.
enum PercentCoding {
    /// Nil for an escape without two hexadecimal digits, and for what is no UTF-8.
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value(of:)),
                    let low = rest.popFirst().flatMap(Hexadecimal.value(of:))
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
