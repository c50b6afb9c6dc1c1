import CommandClient
import Commands
import Control
import Kernel
import Synchronization

/// A paired computer as the features' clients use it, asked through the phone that runs on this machine. Of what the phone or the computer
/// refuses, only the sentence comes this way: `ControlError/refused(_:)`.
final class ControlPeer: Peer {
    /// The most answers that wait to be taken from here; beyond that the oldest goes first.
    private static let waitingLimit = 256

    /// The name or id that the person gave; empty for the only computer that is paired.
    let id: String
    /// Not known here: the phone knows it, and refuses what may not go in the clear.
    let isSealed = false
    private let phone: ControlClient
    private let computer: ComputerChoice
    private let timeout: Int
    private let kept: Mutex<[JSONValue]?>

    /// - Parameters:
    ///   - computer: Its name or id; nil for the only one that is paired.
    ///   - timeout: What every call may take in seconds, whatever a feature's client asks for.
    ///   - keepsAnswers: Whether ``takeAnswers()`` is asked for.
    init(_ phone: ControlClient, computer: String?, timeout: Int, keepsAnswers: Bool) {
        self.phone = phone
        self.timeout = timeout
        id = computer ?? ""
        self.computer = ComputerChoice(computer)
        kept = Mutex(keepsAnswers ? [] : nil)
    }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let call = MethodCall(method, params, device: computer.device, timeout: self.timeout)
        let answer = try await phone.call(CallControl.call, call, within: .seconds(self.timeout))
        kept.withLock { $0?.append(answer) }
        return answer
    }

    /// The computer's answers since the last time, as they came.
    func takeAnswers() -> [JSONValue] {
        kept.withLock { answers in
            defer { if answers != nil { answers = [] } }
            return answers ?? []
        }
    }

    func events() async throws -> AsyncStream<RemoteEvent> {
        follow(CallControl.events) { RemoteEvent($0.event, $0.members ?? [:]) }
    }

    func reachability() async throws -> AsyncStream<Bool> { follow(CallControl.reachability) { $0 } }

    /// Ends with the phone.
    private func follow<Item, Value: Sendable>(
        _ stream: ControlStream<ComputerChoice, Item, NoControlAnswer>,
        _ read: @escaping @Sendable (Item) -> Value
    ) -> AsyncStream<Value> {
        let (values, continuation) = AsyncStream.makeStream(
            of: Value.self,
            bufferingPolicy: .bufferingNewest(Self.waitingLimit)
        )
        let following = Task { [phone, computer] in
            _ = try? await phone.call(stream, computer) { continuation.yield(read($0)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return values
    }
}
