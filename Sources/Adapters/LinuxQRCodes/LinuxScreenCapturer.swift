import CommandServer
package import Kernel
import LinuxDesktopTools
package import QRCodes

/// Takes a picture of the screen with the program that is installed for the session's kind.
package struct LinuxScreenCapturer: ScreenCapturer {
    private let screen: LinuxScreen

    /// - Parameters:
    ///   - environment: Of the person's session: says which screen there is, and where programs are.
    ///   - timeout: For one program. A compositor may ask the person, or never answer.
    package init(
        environment: [String: String],
        time: any TimeSource = .system,
        timeout: Duration = .seconds(15),
        limits: PictureLimits = PictureLimits()
    ) {
        screen = LinuxScreen(environment: environment, time: time, timeout: timeout, byteLimit: limits.fileBytes)
    }

    package func capture() async throws -> [UInt8] {
        do {
            return try await screen.capture(nil)
        } catch let error as ToolError {
            throw QRError(error)
        }
    }
}

extension QRError {
    /// The tool's error, told to the person who sits at this computer and looks for a code.
    fileprivate init(_ error: ToolError) {
        self =
            switch error {
            case .noSession, .notRunning, .unsupported: .noScreen
            case .missing(let tool, let package): .screenToolMissing(tool: tool, package: package)
            case .failed(let tool, let reason): .screenFailed(tool: tool, reason: reason)
            case .timedOut(let tool, let limit): .screenTimedOut(tool: tool, after: limit)
            case .outputTooLarge(let tool, let limit):
                .screenFailed(tool: tool, reason: "its picture has more than \(limit) bytes")
            }
    }
}
