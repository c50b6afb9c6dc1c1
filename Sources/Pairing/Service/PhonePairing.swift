public import Foundation
import Kernel
import Logging
import Sealing

/// Pairing on the phone: scans a computer's code, shows its own, or sends what was typed, and keeps the paired
/// computers.
public actor PhonePairing {
    /// A code that this phone shows on its screen.
    public struct ShownCode: Hashable, Sendable {
        /// The code to draw.
        public let qr: DevicePairingQR
        /// The text of the QR code.
        public var text: String { qr.text }
        /// When it can no longer be scanned.
        public var expiresAt: Date { qr.expiresAt }
    }

    let dependencies: PairingDependencies
    var shown: ShownDeviceExchange?
    /// The events since the shown code was made, until a caller waits for them.
    var shownEvents: AsyncStream<PairingMessageBus.Event>?
    /// The code that was withdrawn last, for a caller that waits for its computer.
    let withdrawn = LatestValue<DevicePairingQR?>(nil, capacity: 8)
    /// Whether the record of a computer that scanned the shown code is being written.
    var isAccepting = false
    /// The computer that scanned the shown code and whose record was written.
    var accepted: PairedDesktop?
    /// Codes that were shown recently and are over, newest last.
    private var endedCodes: [PairingCode] = []
    /// Limits answers about codes that are over, so that strangers cannot make this phone send many messages.
    private var farewells = TokenBucket(capacity: 5, refillPerSecond: 0.2, now: 0)
    private var malformed = RepeatedNotice()
    /// ICE servers that came right after a confirmation, before the record was written.
    private var earlyIceServers: [String: IceConfiguration] = [:]
    private let busEvents: AsyncStream<PairingMessageBus.Event>
    private let gateEvents: AsyncStream<PairingGateEvent>
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    public init(_ dependencies: PairingDependencies) {
        self.dependencies = dependencies
        // Subscribed here, so that nothing is missed when `run()` starts later.
        busEvents = dependencies.bus.events()
        gateEvents = dependencies.gate.events()
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: The long-lived part

    /// Runs until its task is cancelled. Call once; nothing is received without it.
    public func run() async {
        wake.yield()
        await withDiscardingTaskGroup { group in
            group.addTask { [bus = dependencies.bus, gateEvents] in
                for await event in gateEvents { bus.receive(event) }
            }
            group.addTask { [self] in
                for await event in busEvents { await handle(event) }
            }
            group.addTask { [self] in await sweepProvisional() }
        }
    }

    private func handle(_ event: PairingMessageBus.Event) async {
        switch event {
        case .message(.iceConfiguration(let configuration), _, let sender):
            await keep(configuration, from: sender)
        case .message(let message, let payload, let sender):
            await repeatLastWord(to: message, payload: payload, from: sender)
        case .malformed:
            malformed.note()
            guard let count = malformed.due(now: dependencies.time.date) else { return }
            dependencies.logger.notice(
                "pairing messages dropped: not in the documented form",
                metadata: ["count": "\(count)"]
            )
        case .peerOffline, .disconnected, .reconnected:
            break  // a caller that waits for an answer listens for itself
        }
    }

    /// Repeats the answer after a pairing by a shown code, for a computer that did not receive it and asks again.
    private func repeatLastWord(to message: PairingMessage, payload: JSONValue, from sender: String?) async {
        guard var exchange = shown, exchange.isAnswered else { return await refuseEnded(message) }
        let step = exchange.receive(message, payload: payload, from: sender, now: dependencies.time.date)
        guard case .send(let reply, let recipient) = step else { return await refuseEnded(message) }
        await sendIfPossible(reply, to: recipient)
    }

    /// Tells a computer that scanned an ended code of this phone that the code is over, so that it does not wait for a minute.
    private func refuseEnded(_ message: PairingMessage) async {
        guard case .confirmation(let confirmation) = message, PeerText.isIdentifier(confirmation.pcPeerID),
            !confirmation.pcPeerID.isEmpty, isOver(confirmation.code),
            farewells.take(now: dependencies.time.ticks),
            let payload = try? PairingMessage.reject(PairingReject(code: confirmation.code, reason: .expired)).payload
        else { return }
        await sendIfPossible(payload, to: confirmation.pcPeerID)
    }

    private func isOver(_ code: String) -> Bool {
        if let shown, shown.isAnswered, shown.qr.code.digits == code { return true }
        return endedCodes.contains { $0.digits == code }
    }

    /// Ends the code on the screen.
    func endShownCode() {
        if let code = shown?.qr.code { endedCodes = endedCodes.suffix(7) + [code] }
        shown = nil
        shownEvents = nil
        accepted = nil
    }

    /// Keeps new ICE servers from a paired computer as they came.
    private func keep(_ configuration: IceConfiguration, from sender: String?) async {
        guard sender == configuration.pcPeerID, configuration.isUsable else { return }
        do {
            // The sender may be a stranger, or a computer whose record is just being written: a few lists are remembered.
            if earlyIceServers.count >= 4 { earlyIceServers = [:] }
            earlyIceServers[configuration.pcPeerID] = configuration
            if try await dependencies.desktops.update(configuration.pcPeerID, { $0.take(configuration) }) != nil {
                earlyIceServers[configuration.pcPeerID] = nil
            }
        } catch {
            dependencies.logger.error("ICE servers were not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Removes the pairings that only this side knows of. It wakes only while there are some.
    private func sweepProvisional() async {
        for await _ in wakes {
            while true {
                do {
                    let (now, began) = (dependencies.time.date, dependencies.time.now)
                    try await dependencies.desktops.removeOver(at: now)
                    let next = try await dependencies.desktops.all().compactMap { desktop in
                        if case .provisional(let until) = desktop.state { until } else { nil }
                    }.min()
                    guard let next else { break }
                    try await dependencies.time.sleep(
                        until: began + .seconds(max(1, next.timeIntervalSince(now))),
                        tolerance: nil
                    )
                } catch is CancellationError {
                    return
                } catch {
                    dependencies.logger.error("paired computers could not be swept", metadata: ["reason": "\(error)"])
                    break
                }
            }
        }
    }

    // MARK: Flow B: this phone scanned a computer's code

    /// Reads a computer's code and sends nothing.
    public nonisolated func read(_ text: String) throws(PairingError) -> DesktopPairingQR {
        try DesktopPairingQR(scanned: text, now: dependencies.time.date)
    }

    /// Tells the computer that its code was scanned and waits until the person there has decided: over the local
    /// network, then once more through the relay. Addresses of the code are kept only when the pairing succeeded.
    @discardableResult
    public func pair(
        with qr: DesktopPairingQR,
        options: PairingOptions = PairingOptions(),
        progress: @escaping @Sendable (PairingProgress) async -> Void = { _ in }
    ) async throws -> PairedDesktop {
        let own = try await dependencies.ownDevice()
        if let known = try await dependencies.desktops.record(qr.pcPeerID), known.isEndToEnd,
            !options.acceptsNewIdentity, qr.offer?.agreementKey != known.agreementKey
        {
            throw PairingError.keyChanged(name: known.deviceName)
        }
        guard qr.offer != nil || options.allowsDocumentedPeers else {
            throw PairingError.notEndToEnd(name: qr.deviceInfo.name)
        }
        let ways = try await ways(of: qr)
        let exchange = try ScannedDesktopExchange(qr: qr, own: own, now: dependencies.time.date)
        let plan = Plan(own: own, patience: 300, options: options, progress: progress)
        do {
            return try await run(exchange, plan, through: ways)
        } catch let error as PairingError where error.facts.kind == .expired {
            throw qr.ageDoubt ?? error
        }
    }

    private func ways(of qr: DesktopPairingQR) async throws -> [PairingWay] {
        var ways: [PairingWay] = []
        var refused: PairingError?
        for (way, text) in [(PairingAttempt.Way.lan, qr.signalingURL), (.relay, qr.relayURL)] {
            guard let text else { continue }
            do {
                ways.append(PairingWay(way: way, address: try SignalingAddress(text)))
            } catch {
                refused = error
            }
        }
        if ways.isEmpty, let refused { throw refused }
        return ways.isEmpty ? try await knownWays() : ways
    }

    private func knownWays() async throws -> [PairingWay] {
        let addresses = await dependencies.addresses()
        guard !addresses.isEmpty else { throw PairingError.noAddress }
        return addresses.map { PairingWay(way: $0.isLocal ? .lan : .relay, address: $0) }
    }

    // MARK: Typed code

    /// Sends the digits that were typed from the computer's screen, and waits for the computer.
    ///
    /// - Parameter confirm: Asks this phone's person whether the computer asked for this number and says that it is paired. It is called with six
    ///   digits only, once the computer's yes is there: a server that knows them can play the computer to the end, and only this person sees that
    ///   the computer's screen has nothing of it.
    /// - Throws: ``PairingError``; ``PairingError/numberUnconfirmed`` where `confirm` gives no yes within five minutes. Nothing is kept then.
    @discardableResult
    public func pair(
        typing code: TypedCode,
        options: PairingOptions = PairingOptions(),
        confirm: @escaping @Sendable (String) async throws -> Bool = { _ in false },
        progress: @escaping @Sendable (PairingProgress) async -> Void = { _ in }
    ) async throws -> PairedDesktop {
        let own = try await dependencies.ownDevice()
        let exchange = try TypedCodeExchange(
            code: code,
            own: own,
            allowsDocumentedPeers: options.allowsDocumentedPeers,
            now: dependencies.time.date
        )
        let plan = Plan(own: own, patience: 60, options: options, confirm: confirm, progress: progress)
        return try await run(exchange, plan, through: try await knownWays())
    }

    // MARK: Paired computers

    /// Confirms a pairing, because the computer answered in a sealed session: both sides hold the pairing.
    public func confirmed(by pcPeerID: String) async throws {
        let now = dependencies.time.date
        try await dependencies.desktops.update(pcPeerID) { desktop in
            desktop.state = .confirmed
            desktop.lastSeenAt = now
        }
    }

    /// Removes a computer, and tells it if it can be reached.
    ///
    /// - Returns: False where the computer seals and could not be told: it then lists this phone until its owner removes it there.
    /// - Throws: The store's error; the computer is not told then, and stays paired on both sides.
    @discardableResult
    public func forget(_ pcPeerID: String) async throws -> Bool {
        guard let desktop = try await dependencies.desktops.record(pcPeerID) else { return true }
        try await dependencies.desktops.remove(pcPeerID)
        do {
            try await dependencies.sendForget(desktop)
            return true
        } catch {
            dependencies.logger.info("a forgotten computer was not told", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Forgets every computer, one by one.
    ///
    /// - Throws: The store's error; computers that were forgotten by then stay forgotten.
    public func forgetAll() async throws {
        for desktop in try await dependencies.desktops.all() { try await forget(desktop.pcPeerID) }
    }

    /// Removes the record of a computer that removed its own, or showed that it has none.
    public func forgotten(by pcPeerID: String) async throws {
        try await dependencies.desktops.remove(pcPeerID)
    }

    /// The paired computers now, and at every change.
    public nonisolated func desktops() -> AsyncStream<[PairedDesktop]> { dependencies.desktops.list() }

    func save(_ desktop: PairedDesktop) async throws -> PairedDesktop {
        var desktop = desktop
        if !desktop.isEndToEnd { desktop.clearRights = dependencies.initialClearRights }
        // Called before the record is written, because the next session may begin then. Pairing's own messages use no session.
        try await dependencies.startOver(desktop)
        var saved = try await dependencies.desktops.save(desktop)
        wake.yield()
        if let early = earlyIceServers.removeValue(forKey: saved.pcPeerID) {
            saved = try await dependencies.desktops.update(saved.pcPeerID) { $0.take(early) } ?? saved
        }
        dependencies.logger.notice(
            "paired",
            metadata: ["desktop": "\(saved.pcPeerID)", "endToEnd": "\(saved.isEndToEnd)"]
        )
        return saved
    }

    func sendIfPossible(_ payload: JSONValue, to recipient: String) async {
        do {
            try await dependencies.gate.send(payload, to: recipient)
        } catch {
            // The other side asks again, or ends its wait.
            dependencies.logger.notice("pairing message not sent", metadata: ["reason": "\(error)"])
        }
    }
}
