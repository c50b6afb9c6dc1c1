import CommandClient
import Commands
import Control
import Kernel
import Synchronization

/// A computer as the features' clients use it, asked through the role that runs on this machine: a paired one through a phone, or the
/// computer itself. Of what either refuses, only the sentence comes this way: `ControlError/refused(_:)`.
final class ControlPeer: Peer {
    /// The most answers that wait to be taken from here; beyond that the oldest goes first.
    private static let waitingLimit = 256

    /// The answers that are kept for who prints them as they came.
    enum Keeping {
        case none, last, all
    }

    /// The name or id that the person gave; empty for the only computer.
    var id: String { computer ?? "" }
    /// Not known here: the role knows it, and refuses what may not go in the clear.
    let isSealed = false
    let control: ControlClient
    let role: Role
    let computer: String?
    private let timeout: Int?
    private let calls: ControlMethod<MethodCall, JSONValue>
    private let keeps: Keeping
    private let kept = Mutex<[JSONValue]>([])

    /// - Parameters:
    ///   - computer: Its name or id; nil for the only one.
    ///   - timeout: What every call may take in seconds, whatever a feature's client asks for; nil for as long as that one says.
    ///   - calls: What carries the methods.
    init(
        _ control: ControlClient,
        role: Role = .phone,
        computer: String?,
        timeout: Int?,
        calls: ControlMethod<MethodCall, JSONValue> = CallControl.call,
        keeps: Keeping
    ) {
        self.control = control
        self.role = role
        self.computer = computer
        self.timeout = timeout
        self.calls = calls
        self.keeps = keeps
    }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let call = MethodCall(method, params, device: computer, timeout: self.timeout)
        let answer = try await control.call(calls, call, within: self.timeout.map { .seconds($0) } ?? timeout)
        switch keeps {
        case .none: break
        case .last: kept.withLock { $0 = [answer] }
        case .all: kept.withLock { $0.append(answer) }
        }
        return answer
    }

    /// The answer that came last, as it came.
    var lastAnswer: JSONValue? { kept.withLock(\.last) }

    /// The computer's answers since the last time, as they came.
    func takeAnswers() -> [JSONValue] {
        kept.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }

    func events() async throws -> AsyncStream<RemoteEvent> {
        follow(CallControl.events) { RemoteEvent($0.event, $0.members ?? [:]) }
    }

    func reachability() async throws -> AsyncStream<Bool> { follow(CallControl.reachability) { $0 } }

    /// Ends with the role.
    private func follow<Item, Value: Sendable>(
        _ stream: ControlStream<ComputerChoice, Item, NoControlAnswer>,
        _ read: @escaping @Sendable (Item) -> Value
    ) -> AsyncStream<Value> {
        let (values, continuation) = AsyncStream.makeStream(
            of: Value.self,
            bufferingPolicy: .bufferingNewest(Self.waitingLimit)
        )
        let following = Task { [control, computer] in
            _ = try? await control.call(stream, ComputerChoice(computer)) { continuation.yield(read($0)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return values
    }
}
