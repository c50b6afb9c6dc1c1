import Foundation
import Kernel
import Pairing
import Signaling

/// Pairing's way to signaling servers, over the connections that everything else uses too.
actor PhonePairingGate: PairingSignalingGate {
    private let network: SignalNetwork
    private let time: any TimeSource
    private let broadcaster = Broadcaster<PairingGateEvent>()
    private var current: (url: URL, client: any MaintainedSignalClient)?
    private var watch = ConnectionWatch()

    init(network: SignalNetwork, time: any TimeSource = .system) {
        self.network = network
        self.time = time
    }

    nonisolated func events() -> AsyncStream<PairingGateEvent> { broadcaster.subscribe() }

    /// Hands on what every server says: a computer answers wherever it finds this phone. Runs until cancelled.
    func run(_ events: AsyncStream<SignalNetwork.Event>) async {
        for await event in events { receive(event) }
    }

    func connect(to url: URL) async throws {
        guard current?.url != url else { return }
        await reset()
        current = (url, try await network.retain(url))
    }

    /// The network registers by itself, always under this phone's own id: here is only the wait for it.
    ///
    /// - Throws: ``SignalError/notConnected`` for a server that a second try does not reach either.
    func register(as id: String, device: PairingDeviceInfo) async throws {
        guard let client = current?.client else { throw SignalError.notConnected }
        let limit = Duration.seconds(10)
        try await withTimeout(limit, on: time, throwing: SignalError.timedOut(after: limit)) {
            var isTriedAgain = false
            for await state in client.states() {
                switch state {
                case .registered: return
                case .refused(let error): throw error
                case .waiting:
                    // What failed may be a try of long ago, or one for which a busy machine had too little time.
                    guard !isTriedAgain else { throw SignalError.notConnected }
                    isTriedAgain = true
                    client.resume()
                case .replaced: throw SignalError.alreadyConnected(to: "the same server from another process")
                case .disconnected, .connecting, .connected: continue
                }
            }
            throw CancellationError()
        }
    }

    func send(_ payload: JSONValue, to id: String) async throws {
        guard let client = current?.client else { throw SignalError.notConnected }
        try await client.send(SignalMessage(to: id, payload: payload))
    }

    var dropsForAbsentAliases: Bool { current?.client.state.presence?.isTandem == true }

    func reset() async {
        guard let url = current?.url else { return }
        current = nil
        watch = ConnectionWatch()
        await network.release(url)
    }

    private func receive(_ event: SignalNetwork.Event) {
        switch event.content {
        case .signal(.peerOffline), .state:
            // Other servers' news of a computer say nothing about this attempt.
            guard event.url == current?.url else { return }
        case .signal:
            break
        }
        let translated: PairingGateEvent? =
            switch event.content {
            case .signal(let signal): PairingGateEvent(signal)
            case .state(let state): watch.event(for: state)
            }
        if let translated { broadcaster.send(translated) }
    }
}
