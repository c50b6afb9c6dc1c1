import Foundation
import Subprocess

/// A Wayland session without a screen, for one test: sway with one output of 1280 × 720.
package enum WaylandServer {
    package struct Failure: Error {
        package let message: String
    }

    /// sway refuses to be root; this is the user id of `nobody` on every Linux.
    private static let nobody = 65_534

    /// Runs `body` with the environment of a session on a new server, whose background is `colour`.
    ///
    /// Throws when sway is not installed: bin/setup --tests brings it.
    package static func run(
        background colour: String = "#000000",
        _ body: @escaping @Sendable ([String: String]) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        let isRoot = geteuid() == 0
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder does no harm
        let configuration = folder.appending(path: "config")
        let script = "output * background \(colour) solid_color\nexec sh -c 'echo $WAYLAND_DISPLAY $SWAYSOCK'\n"
        try Data(script.utf8).write(to: configuration)
        if isRoot {
            for path in [folder.path, configuration.path] {
                try FileManager.default.setAttributes([.ownerAccountID: nobody], ofItemAtPath: path)
            }
        }
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let command = ["sway", "--config", configuration.path]
        let asNobody = ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]
        let words = isRoot ? asNobody + command : command
        _ = try await Subprocess.run(
            .name(words[0]),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .custom([
                "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path, "WLR_BACKENDS": "headless",
                "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            ]),
            platformOptions: options,
            input: .none,
            output: .sequence,
            error: .discarded
        ) { execution in
            var names: [Substring] = []
            for try await line in execution.standardOutput.strings() {
                names = line.split(whereSeparator: \.isWhitespace)
                break
            }
            guard names.count == 2 else { throw Failure(message: "sway did not start") }
            var environment = ProcessInfo.processInfo.environment
            environment["XDG_RUNTIME_DIR"] = folder.path
            environment["WAYLAND_DISPLAY"] = String(names[0])
            environment["SWAYSOCK"] = String(names[1])
            environment["DISPLAY"] = nil
            try await body(environment)
            await execution.teardown(using: options.teardownSequence)
        }
    }
}
