public import Kernel
public import Rights

/// A kind of event that a computer tells phones, declared in its feature's `Wire/`. A phone needs the right at the moment when the event is
/// sent, not only when it was asked for.
public struct EventKind: Hashable, Sendable {
    /// In full, for example `clipboard.changed`.
    public let name: String
    /// The right that a phone needs to be told.
    public let right: Right

    public init(_ name: String, needs right: Right) {
        self.name = name
        self.right = right
    }
}

extension RemoteEvent {
    public init(_ kind: EventKind, _ members: [String: JSONValue]) { self.init(kind.name, members) }

    /// Whether this event was declared as `kind`: their names are the same.
    public func isOf(_ kind: EventKind) -> Bool { name == kind.name }
}
