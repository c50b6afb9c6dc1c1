import Kernel

/// A permission that the owner of a computer can give a paired phone there, by its name on the wire and in records, for example
/// `file.read`. A feature declares the rights that its methods need as constants; a ``RightDeclaration`` describes each right.
public struct Right: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
{
    /// The longest name in bytes. A name has small letters, digits, dots and hyphens.
    public static let nameLimit = 64

    /// The right's name. It is not checked here: ``stored(_:)`` leaves out texts that cannot be one.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }
}

extension Right {
    /// Names in records of earlier versions that stand for several rights, or for another one.
    private static let formerNames: [String: Set<Right>] = [
        "file": ["file.read", "file.write"],
        "system": ["system.logs"],
    ]

    /// Reads a stored list, which another version may have written. A right that no feature declares opens nothing, so a name of another
    /// version gives nothing here and is kept for that version; texts that cannot be a name are left out.
    public static func stored(_ names: some Sequence<String>) -> Set<Right> {
        names.reduce(into: []) { rights, name in
            if let former = formerNames[name] {
                rights.formUnion(former)
            } else if isName(name) {
                rights.insert(Right(rawValue: name))
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...nameLimit).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: ".-") && text == text.lowercased()
    }
}
