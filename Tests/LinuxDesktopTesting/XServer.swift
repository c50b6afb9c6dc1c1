import Foundation
import Subprocess

/// An X server without a screen, for one test.
package enum XServer {
    package struct Failure: Error {
        package let message: String
    }

    /// Runs `body` with the environment of a session on a new server.
    ///
    /// Throws when Xvfb is not installed: bin/setup --tests brings it.
    package static func run(_ body: @escaping @Sendable ([String: String]) async throws -> Void) async throws {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        _ = try await Subprocess.run(
            .name("Xvfb"),
            // The server picks a free display and says which. It must not reset when `display` disconnects, or the
            // picture would be gone.
            arguments: ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x800x24"],
            platformOptions: options,
            input: .none,
            output: .sequence,
            error: .discarded
        ) { execution in
            var number: String?
            for try await line in execution.standardOutput.strings() {
                number = line.trimmingCharacters(in: .whitespacesAndNewlines)
                break
            }
            guard let number, Int(number) != nil else { throw Failure(message: "Xvfb did not start") }
            var environment = ProcessInfo.processInfo.environment
            environment["DISPLAY"] = ":\(number)"
            environment["WAYLAND_DISPLAY"] = nil
            environment["XAUTHORITY"] = nil
            try await body(environment)
            await execution.teardown(using: options.teardownSequence)
        }
    }

    /// Fills the screen's background with `colour`, for example `#3366cc`.
    package static func fill(_ colour: String, environment: [String: String]) async throws {
        let result = try await Subprocess.run(
            .name("xsetroot"),
            arguments: ["-solid", colour],
            environment: .custom(variables(environment)),
            output: .discarded,
            error: .string(limit: 4096)
        )
        guard result.terminationStatus.isSuccess else { throw Failure(message: result.standardError) }
    }

    /// Shows a window, `width` × `height` at `x`, `y` with the colour `background`, while `body` runs.
    package static func withWindow(
        x: Int,
        y: Int,
        width: Int,
        height: Int,
        background: String,
        environment: [String: String],
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        _ = try await Subprocess.run(
            .name("xlogo"),
            arguments: ["-geometry", "\(width)x\(height)+\(x)+\(y)", "-background", background],
            environment: .custom(variables(environment)),
            platformOptions: options,
            input: .none,
            output: .discarded,
            error: .discarded
        ) { execution in
            try await body()
            await execution.teardown(using: options.teardownSequence)
        }
    }

    /// Puts `picture` on the screen's background.
    package static func show(_ picture: [UInt8], environment: [String: String]) async throws {
        // Its exit status is 1 even when it worked: whether it did is seen on the screen.
        _ = try await Subprocess.run(
            .name("display"),
            arguments: ["-window", "root", "png:-"],
            environment: .custom(variables(environment)),
            input: .array(picture),
            output: .discarded
        )
    }

    private static func variables(_ environment: [String: String]) -> [Subprocess.Environment.Key: String] {
        let variables = environment.compactMap { name, value in
            Subprocess.Environment.Key(rawValue: name).map { ($0, value) }
        }
        return Dictionary(variables, uniquingKeysWith: { first, _ in first })
    }
}
