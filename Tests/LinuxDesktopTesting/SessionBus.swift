package import Foundation
import Kernel
import Subprocess

/// A session bus of a test's own.
package struct SessionBus: Sendable {
    package struct Failure: Error {
        package let message: String

        package init(message: String) { self.message = message }
    }

    /// Longer than anything takes on a slow machine.
    package static let patience = Duration.seconds(150)

    package let folder: URL
    package var address: String { "unix:path=\(folder.path)/bus" }
    package var environment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "HOME": folder.path]
    }

    /// Runs `body` with a folder for a bus, which ``listening(as:_:)`` starts.
    package static func run(_ body: (SessionBus) async throws -> Void) async throws {
        // Short: a socket's path has 107 bytes.
        let folder = URL(filePath: "/tmp/tandem-bus-\(UUID().uuidString.prefix(12))")
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder does no harm
        let bus = SessionBus(folder: folder)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "services"),
            withIntermediateDirectories: true
        )
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(bus.address)</listen><auth>EXTERNAL</auth>
            <servicedir>\(folder.path)/services</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/><allow user="*"/></policy></busconfig>
            """
        let file = folder.appending(path: "bus.conf").path
        try Data(configuration.utf8).write(to: URL(filePath: file))
        // The umask of this process is whatever a test before left, and a bus of another user reads all of this.
        for (path, mode) in [(folder.path, 0o755), (folder.path + "/services", 0o755), (file, 0o644)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try await body(bus)
    }

    /// Runs `body` with a bus that listens.
    package static func running(_ body: @escaping @Sendable (SessionBus) async throws -> Void) async throws {
        try await run { bus in try await bus.listening { try await body(bus) } }
    }

    /// Runs `body` while the bus listens.
    ///
    /// - Parameter user: Whose bus it is; the tests' own where nil.
    package func listening(as user: Int? = nil, _ body: @escaping @Sendable () async throws -> Void) async throws {
        unlink(folder.path + "/bus")
        let command = [
            "dbus-daemon", "--nofork", "--nosyslog", "--print-address=1", "--config-file=\(folder.path)/bus.conf",
        ]
        let asUser = user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        // It prints its address when it listens.
        try await program(
            asUser + command,
            environment: ["PATH": "/usr/bin:/bin"],
            ready: { $0.contains("unix:") },
            body
        )
    }

    /// Runs `body` while a program runs, from the line of its output that says it is ready; from its start without `ready`.
    package func program(
        _ words: [String],
        environment: [String: String]? = nil,
        ready: (@Sendable (String) -> Bool)? = nil,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let outcome = try await Subprocess.run(
            .name(words[0]),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .custom(Self.variables(environment ?? self.environment)),
            platformOptions: options,
            input: .none,
            output: .sequence,
            error: .discarded
        ) { execution in
            var isReady = ready == nil
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            while !isReady, let line = try await lines.next() { isReady = ready?(line) ?? true }
            guard isReady else { return false }
            let result: Result<Void, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            await execution.teardown(using: options.teardownSequence)
            try result.get()
            return true
        }
        if !outcome.closureResult {
            throw Failure(message: "\(words[0]) did not start. bin/setup --tests brings it.")
        }
    }

    /// Runs a program to its end and gives what it printed.
    @discardableResult
    package func run(_ words: String..., environment: [String: String]? = nil) async throws -> String {
        try await run(words, environment: environment)
    }

    @discardableResult
    package func run(_ words: [String], environment: [String: String]? = nil) async throws -> String {
        let variables = Self.variables(environment ?? self.environment)
        return try await withTimeout(Self.patience, on: .system, throwing: Failure(message: "\(words) did not end")) {
            let result = try await Subprocess.run(
                .name(words[0]),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .custom(variables),
                input: .none,
                output: .string(limit: 1 << 16),
                error: .string(limit: 1 << 16)
            )
            guard result.terminationStatus.isSuccess else {
                throw Failure(message: "\(words[0]): \(result.standardError)")
            }
            return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private static func variables(_ environment: [String: String]) -> [Subprocess.Environment.Key: String] {
        let variables = environment.compactMap { name, value in
            Subprocess.Environment.Key(rawValue: name).map { ($0, value) }
        }
        return Dictionary(variables, uniquingKeysWith: { first, _ in first })
    }
}
