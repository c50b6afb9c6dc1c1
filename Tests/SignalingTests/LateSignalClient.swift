import Foundation
import Kernel
import Signaling
import SignalingTesting

/// A signaling client whose readers hear of its states when the test says so.
final class LateSignalClient: SignalClient {
    let inner: InMemorySignalClient
    private let told: AsyncStream<SignalClientState>
    private let teller: AsyncStream<SignalClientState>.Continuation
    private let questions: AsyncStream<Void>
    private let asker: AsyncStream<Void>.Continuation

    init(_ inner: InMemorySignalClient) {
        self.inner = inner
        (told, teller) = AsyncStream.makeStream()
        (questions, asker) = AsyncStream.makeStream()
    }

    func tell(_ state: SignalClientState) { teller.yield(state) }

    /// Returns once the state of now was asked for.
    func asked() async { for await _ in questions { return } }

    var state: SignalClientState {
        asker.yield()
        return inner.state
    }

    func states() -> AsyncStream<SignalClientState> { told }
    func messages() -> AsyncStream<SignalEvent> { inner.messages() }
    func observe(_ take: @escaping @Sendable (SignalEvent) -> Void) -> @Sendable () -> Void { inner.observe(take) }
    func connect(to url: URL) async throws { try await inner.connect(to: url) }
    func disconnect() async { await inner.disconnect() }
    func reset() async { await inner.reset() }
    func register(as id: String, device: SignalDevice) async throws { try await inner.register(as: id, device: device) }
    func send(_ message: SignalMessage) async throws { try await inner.send(message) }
    func requestPeers() async throws { try await inner.requestPeers() }
    func requestStatus(of peer: String) async throws { try await inner.requestStatus(of: peer) }
    func sendBinary(_ frame: SignalBinaryFrame, to peer: String) async throws {
        try await inner.sendBinary(frame, to: peer)
    }
}
