/// The result of a program.
package struct ToolResult: Hashable, Sendable {
    package var isSuccess: Bool
    package var output: [UInt8]
    /// The first line of what it complained about; empty when it did not.
    package var complaint: String

    package var text: String { String(decoding: output, as: UTF8.self) }
}
