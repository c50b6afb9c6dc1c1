import ArgumentParser
import Commands
import Control
import Kernel
import Notifications
import Synchronization

/// What every command takes that asks for notifications: a phone about its computers, or a computer about itself.
struct NotificationOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @OptionGroup var side: RoleOptions

    @OptionGroup var target: ComputerOptions

    @Option(help: ArgumentHelp("Seconds to wait for the answer, 1 to 3600.", valueName: "seconds"))
    var timeout: Int?

    func validate() throws {
        if let timeout, !(1...3600).contains(timeout) {
            throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
        }
    }

    /// The running role: a phone first, where both run.
    func peer() async throws -> NotificationPeer {
        let role = try await side.role(among: [.phone, .desktop], global)
        guard role == .phone || target.computer == nil else {
            throw ValidationError("A computer has its own notifications: --computer is for --role phone.")
        }
        return NotificationPeer(global.client(for: role), role: role, computer: target.computer, timeout: timeout)
    }

    /// Asks and prints the answer: with `--json` as it came, else in lines for a person.
    func show<Answer>(
        _ ask: (NotificationCommands) async throws -> Answer,
        _ lines: (Answer) throws -> String
    ) async throws {
        let peer = try await peer()
        let answer = try await ask(NotificationCommands(peer))
        guard !global.json else { return try Output.json(peer.lastAnswer ?? .null) }
        try Output.result(try lines(answer))
    }
}

/// A computer's notifications through the role that runs here.
final class NotificationPeer: Peer {
    /// As the person named it; empty for the only one.
    let id: String
    /// Not known here: the role knows it.
    let isSealed = false
    let control: ControlClient
    let role: Role
    let computer: String?
    private let timeout: Int?
    private let answer = Mutex<JSONValue?>(nil)

    init(_ control: ControlClient, role: Role, computer: String?, timeout: Int?) {
        self.control = control
        self.role = role
        self.computer = computer
        self.timeout = timeout
        id = computer ?? ""
    }

    /// The answer that came last, as it came.
    var lastAnswer: JSONValue? { answer.withLock { $0 } }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let call = NotificationsControl.Call(method, params, device: computer, timeout: self.timeout)
        let value = try await control.call(NotificationsControl.call, call)
        answer.withLock { $0 = value }
        return value
    }

    /// They are followed by `NotificationsControl.follow`.
    func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }
    func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}
