import CommandServer
import Foundation
package import Kernel
import Subprocess

/// Runs the system's programs: found in the session's PATH, ended after a time, with bounded output, never through a shell.
package struct ToolRunner: Sendable {
    private let environment: [String: String]
    private let time: any TimeSource
    private let timeout: Duration

    /// - Parameters:
    ///   - environment: Of the person's session: says which screen there is, and where programs are.
    ///   - timeout: For one program. A compositor may ask the person, or never answer.
    package init(
        environment: [String: String],
        time: any TimeSource = .system,
        timeout: Duration = .seconds(15)
    ) {
        self.environment = environment
        self.time = time
        self.timeout = timeout
    }

    /// Nil when it is unset or empty.
    package func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    package func isInstalled(_ tool: SystemTool) -> Bool {
        (variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").contains { folder in
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(tool.name)")
        }
    }

    /// - Throws: ``ToolError``, `CancellationError`. A program that ends with an error is a result, not a failure.
    package func run(_ tool: SystemTool, _ arguments: [String], outputLimit: Int) async throws -> ToolResult {
        try await running(tool) { variables in
            let result = try await Subprocess.run(
                .name(tool.name),
                arguments: Arguments(arguments),
                environment: variables,
                input: .none,
                output: .bytes(limit: outputLimit),
                error: .bytes(limit: 64 << 10)
            )
            return ToolResult(
                isSuccess: result.terminationStatus.isSuccess,
                output: result.standardOutput,
                complaint: Self.firstLine(of: result.standardError)
            )
        } tooLarge: {
            ToolError.outputTooLarge(tool: tool.name, limit: outputLimit)
        }
    }

    /// Gives `input` to a program whose offspring lives on and would keep any pipe of ours open: what it says is not heard.
    package func feed(_ input: [UInt8], to tool: SystemTool, _ arguments: [String]) async throws -> Bool {
        try await running(tool) { variables in
            let result = try await Subprocess.run(
                .name(tool.name),
                arguments: Arguments(arguments),
                environment: variables,
                input: .fileDescriptor(
                    try AnonymousFile.holding(input, for: tool),
                    closeAfterSpawningProcess: true
                ),
                output: .discarded,
                error: .discarded
            )
            return result.terminationStatus.isSuccess
        } tooLarge: {
            ToolError.failed(tool: tool.name, reason: "it said too much")
        }
    }

    /// Runs a program that goes on, and tells each time that it says something. It is ended with the reader of the stream, and the stream ends
    /// with it.
    ///
    /// - Throws: ``ToolError`` for one that is not installed.
    package func signs(of tool: SystemTool, _ arguments: [String]) throws -> AsyncStream<Void> {
        guard isInstalled(tool) else { throw ToolError.missing(tool: tool.name, package: tool.package) }
        let (signs, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let variables = variables
        let program = Task {
            defer { tell.finish() }
            // One that cannot be started, or ends, says nothing more: that is what the end of the stream tells.
            _ = try? await Subprocess.run(
                .name(tool.name),
                arguments: Arguments(arguments),
                environment: variables,
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                for try await _ in execution.standardOutput { tell.yield() }
            }
        }
        tell.onTermination = { _ in program.cancel() }
        return signs
    }

    private var variables: Subprocess.Environment {
        let variables = environment.compactMap { name, value in
            Subprocess.Environment.Key(rawValue: name).map { ($0, value) }
        }
        return .custom(Dictionary(variables, uniquingKeysWith: { first, _ in first }))
    }

    private func running<Value: Sendable>(
        _ tool: SystemTool,
        _ body: @escaping @Sendable (Subprocess.Environment) async throws -> Value,
        tooLarge: @escaping @Sendable () -> ToolError
    ) async throws -> Value {
        guard isInstalled(tool) else { throw ToolError.missing(tool: tool.name, package: tool.package) }
        let custom = variables
        let late = ToolError.timedOut(tool: tool.name, after: timeout)
        return try await withTimeout(timeout, on: time, throwing: late) {
            do {
                return try await body(custom)
            } catch let error as SubprocessError where error.code == .outputLimitExceeded {
                throw tooLarge()
            } catch let error as SubprocessError {
                throw ToolError.failed(tool: tool.name, reason: "\(error)")
            }
        }
    }

    private static func firstLine(of bytes: [UInt8]) -> String {
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        return String(line.prefix(512))
    }
}
