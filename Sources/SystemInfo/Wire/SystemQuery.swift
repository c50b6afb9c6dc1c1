public import Commands
public import Kernel

/// The figures to answer beside the current ones.
public struct SystemQuery: MethodParameters, Hashable {
    /// Also the figures of the last minutes: ``SystemHistory``.
    public var history: Bool

    public init(history: Bool = false) { self.history = history }

    /// Read leniently: programs that know no parameters here may send what they like.
    public init(wire: RemoteParameters) { history = wire.value["history"]?.boolValue ?? false }

    public var wire: JSONValue { history ? ["history": true] : [:] }
}
