import Foundation
import Glibc
import Subprocess

/// A system bus and an avahi-daemon for one test, on the loopback interface only: nothing leaves the machine.
///
/// A machine has one avahi-daemon: its pid file is fixed. So where it runs already, the tests use that one; elsewhere
/// they are serialised, within this process by their suite, and between processes by a lock.
struct DiscoveryNetwork: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// True when the machine's own daemon is to be used: then the test cannot stop it.
    static let isSystemDaemonRunning: Bool = {
        guard FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket"),
            let text = try? String(contentsOfFile: "/run/avahi-daemon/pid", encoding: .utf8),
            let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return false }
        return (kill(pid, 0) == 0 || errno == EPERM) && !isOurs(pid)
    }()

    private static let hostName = "tandem-test"
    private static let busProcessFile = "/tmp/tandem-test-bus.pid"

    /// Whether an earlier test started this program, by what it was started with: avahi-daemon shows its host's name there.
    private static func isOurs(_ pid: pid_t) -> Bool {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
        let words = String(decoding: line, as: UTF8.self)
        return words.contains("avahi-daemon") && words.contains("[\(hostName)")
            || words.contains("dbus-daemon") && words.contains("/tandem-") && words.contains("bus.conf")
    }

    /// Ends what tests that were killed have left behind. Only while the lock is held: then no living test uses them.
    private static func endLeftovers() async throws {
        for file in ["/run/avahi-daemon/pid", busProcessFile] { try await endLeftover(file) }
        unlink(busProcessFile)
    }

    /// - Parameter processFile: Where a daemon wrote its process's id.
    static func endLeftover(_ processFile: String) async throws {
        guard let text = try? String(contentsOfFile: processFile, encoding: .utf8),
            let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), isOurs(pid)
        else { return }
        kill(pid, SIGKILL)
        // A killed one leaves its file, and the next would not start beside it. A process that is no child of ours is
        // reaped by init: its entry goes by itself.
        for _ in 0..<500 where kill(pid, 0) == 0 { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// libdbus reads the variable once in a process's life, so every test uses the same path. `bin/test` sets it before
    /// the process starts; otherwise it is set here, before anything uses the bus.
    private static let busPath: String = {
        let variable = "DBUS_SYSTEM_BUS_ADDRESS"
        let prefix = "unix:path="
        if let address = ProcessInfo.processInfo.environment[variable], address.contains("/tandem-test-bus-") {
            return String(address.dropFirst(prefix.count))
        }
        let path = "/tmp/tandem-test-bus-\(getpid())"
        setenv(variable, prefix + path, 1)
        return path
    }()

    private let folder: URL

    /// Runs `body` where neither bus nor daemon is running; it starts them with ``bus(_:)`` and ``daemon(_:)``.
    static func run(_ body: @escaping @Sendable (DiscoveryNetwork) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        if isSystemDaemonRunning { return try await body(DiscoveryNetwork(folder: folder)) }
        let lock = open("/tmp/tandem-test-avahi.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
        guard lock >= 0 else { throw Failure(description: "/tmp/tandem-test-avahi.lock cannot be opened") }
        defer { close(lock) }
        // Another checkout's tests may have it for a while: wait for them on a thread of its own.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                flock(lock, LOCK_EX)
                continuation.resume()
            }
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
        unlink(busPath)
        try await endLeftovers()
        try await body(DiscoveryNetwork(folder: folder))
    }

    /// Runs `body` while a bus listens where the system's would.
    func bus(_ body: @escaping @Sendable () async throws -> Void) async throws {
        if Self.isSystemDaemonRunning { return try await body() }
        let configuration = folder.appending(path: "bus.conf")
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>system</type><listen>unix:path=\(Self.busPath)</listen><auth>EXTERNAL</auth>
            <pidfile>\(Self.busProcessFile)</pidfile>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow receive_sender="*"/></policy></busconfig>
            """
        try Data(text.utf8).write(to: configuration)
        // It prints its address when it listens.
        try await Self.run(
            "dbus-daemon",
            ["--nofork", "--nosyslog", "--print-address=1", "--config-file=\(configuration.path)"],
            ready: { _ in true },
            body
        )
        unlink(Self.busPath)
    }

    /// Runs `body` while avahi-daemon runs. It may still be starting: clients wait for it.
    func daemon(_ body: @escaping @Sendable () async throws -> Void) async throws {
        if Self.isSystemDaemonRunning { return try await body() }
        let configuration = folder.appending(path: "avahi.conf")
        let text = """
            [server]
            host-name=\(Self.hostName)
            allow-interfaces=lo
            use-ipv4=yes
            use-ipv6=no
            [publish]
            publish-hinfo=no
            publish-workstation=no
            """
        try Data(text.utf8).write(to: configuration)
        try await Self.run(
            "avahi-daemon",
            ["--file=\(configuration.path)", "--no-rlimits", "--no-chroot", "--no-drop-root"],
            ready: { $0.contains("Server startup complete") },
            body
        )
    }

    /// Runs `body` from the line that says the program is ready, then ends the program.
    private static func run(
        _ program: String,
        _ arguments: [String],
        ready: @escaping @Sendable (String) -> Bool,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        _ = busPath
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        // Daemons are not on everybody's path.
        let path = "/usr/sbin:/usr/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        _ = try await Subprocess.run(
            .name(program),
            arguments: Arguments(arguments),
            environment: .inherit.updating(["PATH": path]),
            platformOptions: options,
            input: .none,
            output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            var isReady = false
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            while !isReady, let line = try await lines.next() { isReady = ready(line) }
            guard isReady else {
                throw Failure(
                    description: "\(program) did not start. It needs root, and bin/setup --tests to be there."
                )
            }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            await execution.teardown(using: options.teardownSequence)
            try result.get()
        }
    }
}
