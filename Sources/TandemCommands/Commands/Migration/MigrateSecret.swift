import ArgumentParser
import Foundation
import Kernel

/// A password or a PIN on its way into a command: from an open file descriptor, from the environment, or typed without an echo. Never an argument,
/// which every program of this machine can read.
struct MigrateSecret {
    enum Kind: String {
        case password
        case pin
    }

    /// Bytes; the longest password has 1024.
    private static let limit = 1024
    private static let work = BlockingWork("tandem.secret", width: 1)

    let kind: Kind
    /// Nil where none was named.
    let descriptor: Int32?

    /// The name of the variable that is read where no descriptor is given.
    var variable: String { "TANDEM_MIGRATE_\(kind.rawValue.uppercased())" }

    /// Whether it comes without asking anybody.
    var isGiven: Bool { descriptor != nil || environment != nil }

    private var environment: String? {
        Running.console.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameters:
    ///   - question: Asked of a person at a terminal.
    ///   - isNew: Asked for twice there.
    /// - Throws: ``CommandError/tooMuchInput(limit:)``, ``CommandError/cannotRead(path:reason:)``, ``CommandError/passwordsDiffer``,
    ///   ``CommandError/nothingGiven(what:ways:)``; `CancellationError` for Ctrl-C.
    func value(asking question: String, isNew: Bool = false) async throws -> String {
        let given = try await given(asking: question, isNew: isNew)
        guard !given.isEmpty else {
            let what = kind == .pin ? "PIN" : "password"
            throw CommandError.nothingGiven(what: what, ways: "--\(kind.rawValue)-fd or $\(variable)")
        }
        return given
    }

    private func given(asking question: String, isNew: Bool) async throws -> String {
        if let descriptor { return try await Self.work.run { try Self.line(of: descriptor) } }
        if let environment { return environment }
        let first = try await TypedPassword.line(question)
        guard isNew, !first.isEmpty, Running.console.isTerminal(.input) else { return first }
        guard try await TypedPassword.line("The same again:") == first else { throw CommandError.passwordsDiffer }
        return first
    }

    /// The first line. The descriptor stays open: it is the caller's.
    private static func line(of descriptor: Int32) throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandError.cannotRead(path: "/dev/fd/\(descriptor)", reason: String(cString: strerror(errno)))
            }
            guard count == 1, byte != 0x0A else { break }
            bytes.append(byte)
            guard bytes.count <= limit else { throw CommandError.tooMuchInput(limit: limit) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The options by which a command is given the package's password.
struct MigratePasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the password's line from this open file descriptor. Default: $TANDEM_MIGRATE_PASSWORD, else it is asked for.",
            valueName: "fd"
        )
    )
    var passwordFd: Int32?

    var secret: MigrateSecret { MigrateSecret(kind: .password, descriptor: passwordFd) }
}
