/// A method that a command or a page on this machine can call at a running role: declared once by the feature that answers it.
public struct ControlMethod<Parameters: Codable & Sendable, Answer: Codable & Sendable>: Sendable {
    /// In full, for example `activity.list`.
    public let name: String
    /// One line for people: what it does.
    public let summary: String

    public init(_ name: String, summary: String) {
        self.name = name
        self.summary = summary
    }
}

/// A control method that reports items until its answer: progress, or something that is followed. The work ends when the asker has gone.
public struct ControlStream<
    Parameters: Codable & Sendable,
    Item: Codable & Sendable,
    Answer: Codable & Sendable
>: Sendable {
    /// In full, for example `files.get`.
    public let name: String
    /// One line for people: what it does.
    public let summary: String

    public init(_ name: String, summary: String) {
        self.name = name
        self.summary = summary
    }
}

extension ControlMethod where Parameters == NoControlParameters {
    /// Every role answers it with its own members, ``RoleStatus`` among them.
    public static var status: Self {
        Self("status", summary: "Who runs here, where it listens and what it is connected to.")
    }
}

/// The members that every role's status has.
public struct RoleStatus: Codable, Hashable, Sendable {
    /// `desktop`, `phone` or `hub`.
    public var role: String
}

/// The parameters of a control method that takes none.
public struct NoControlParameters: Codable, Hashable, Sendable {
    public init() {}
}

/// The answer of a control method that has nothing to tell: `null`.
public struct NoControlAnswer: Codable, Hashable, Sendable {
    public init() {}

    public init(from decoder: any Decoder) {}

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

/// A member that is `null` where there is nothing, so that a program finds the same members in every answer. One that is missing reads as
/// nothing too.
@propertyWrapper
public struct OrNull<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// Nil is written as `null`.
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Called by synthesized decoding for an ``OrNull`` member; a missing one reads as nil.
    public func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        OrNull(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }

    /// Called for an optional ``OrNull`` member, which only some answers have: there is a difference between `null` and nothing.
    public func decodeIfPresent<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}
