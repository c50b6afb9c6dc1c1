package import CommandServer

/// The result of a program.
package struct ToolResult: Hashable, Sendable {
    package var isSuccess: Bool
    package var output: [UInt8]
    /// The first line of what it complained about; empty when it did not.
    package var complaint: String

    /// The error of a program that did not succeed.
    package func failure(of tool: SystemTool) -> ToolError {
        .failed(tool: tool.name, reason: complaint.isEmpty ? "it gave no reason" : complaint)
    }

    /// Itself.
    ///
    /// - Throws: ``failure(of:)`` unless the program succeeded.
    package func successful(_ tool: SystemTool) throws(ToolError) -> ToolResult {
        guard isSuccess else { throw failure(of: tool) }
        return self
    }

    package var text: String { String(decoding: output, as: UTF8.self) }
}
