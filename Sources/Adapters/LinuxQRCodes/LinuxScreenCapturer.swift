import Foundation
import Kernel
public import QRCodes
import Subprocess

/// Takes a picture of the screen with the program that is installed for the session's kind.
public struct LinuxScreenCapturer: ScreenCapturer {
    private let environment: [String: String]
    private let clock: any Clock<Duration>
    private let timeout: Duration
    private let byteLimit: Int

    /// - Parameters:
    ///   - environment: Of the person's session: says which screen there is, and where programs are.
    ///   - timeout: For one program. A compositor may ask the person, or never answer.
    public init(
        environment: [String: String],
        clock: any Clock<Duration> = ContinuousClock(),
        timeout: Duration = .seconds(15),
        limits: PictureLimits = PictureLimits()
    ) {
        self.environment = environment
        self.clock = clock
        self.timeout = timeout
        byteLimit = limits.fileBytes
    }

    public func capture() async throws -> [UInt8] {
        let tools = try tools()
        guard let preferred = tools.first else { throw QRError.noScreen }
        let installed = tools.filter(isInstalled)
        var failure = QRError.screenToolMissing(tool: preferred.name, package: preferred.package)
        for tool in installed {
            do {
                return try await run(tool)
            } catch let error as QRError {
                failure = error  // another program may know this screen better
            }
        }
        throw failure
    }

    private func tools() throws(QRError) -> [ScreenTool] {
        if environment["WAYLAND_DISPLAY"]?.isEmpty == false { return ScreenTool.wayland }
        if environment["DISPLAY"]?.isEmpty == false { return ScreenTool.x11 }
        throw .noScreen
    }

    private func isInstalled(_ tool: ScreenTool) -> Bool {
        (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").contains { folder in
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(tool.name)")
        }
    }

    private func run(_ tool: ScreenTool) async throws -> [UInt8] {
        let variables = environment.compactMap { name, value in
            Subprocess.Environment.Key(rawValue: name).map { ($0, value) }
        }
        let late = QRError.screenTimedOut(tool: tool.name, after: timeout)
        return try await withTimeout(timeout, on: clock, throwing: late) { [byteLimit] in
            let result: ExecutionResult<Void, BytesOutput, StringOutput<UTF8>>
            do {
                result = try await Subprocess.run(
                    .name(tool.name),
                    arguments: Arguments(tool.arguments),
                    environment: .custom(Dictionary(variables, uniquingKeysWith: { first, _ in first })),
                    output: .bytes(limit: byteLimit),
                    error: .string(limit: 64 << 10)
                )
            } catch let error as SubprocessError {
                throw QRError.screenFailed(tool: tool.name, reason: "\(error)")
            }
            guard result.terminationStatus.isSuccess, !result.standardOutput.isEmpty else {
                let reason = result.standardError.split(whereSeparator: \.isNewline).first.map(String.init)
                throw QRError.screenFailed(tool: tool.name, reason: reason ?? "it gave no picture")
            }
            return result.standardOutput
        }
    }
}
