/// What a program left behind.
public struct ToolResult: Hashable, Sendable {
    public var isSuccess: Bool
    public var output: [UInt8]
    /// The first line of what it complained about; empty when it did not.
    public var complaint: String

    public var text: String { String(decoding: output, as: UTF8.self) }
}
