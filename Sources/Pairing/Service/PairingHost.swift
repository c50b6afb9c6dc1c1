import Foundation
import Kernel
import Logging
public import Rights
public import Sealing

/// Pairing on the computer: shows codes, asks the person about each phone that comes with one, and keeps the paired phones.
/// ``DesktopPairing`` makes all decisions; this actor carries them out.
public actor PairingHost {
    typealias ScanOutcome = (code: PairingCode, result: Result<PairedPhone, any Error>)

    let dependencies: PairingHostDependencies
    var core: DesktopPairing
    let scanOutcomes = Broadcaster<ScanOutcome>(capacity: 16)
    var openScans: [PairingCode: OpenScan] = [:]
    private let live: LatestValue<PairingHostStatus>
    private let gateEvents: [AsyncStream<PairingGateEvent>]
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    var alias: HeldAlias?
    private var routes = PairingRoutes()
    private var malformed = RepeatedNotice()
    private var iceSentAt: [DID: Date] = [:]
    private var activityNotedAt: [DID: Date] = [:]
    /// When the earliest provisional record ends; nil when there is none.
    private var nextSweep: Date?

    /// A scanned code of a phone that has not answered yet.
    struct OpenScan {
        var payload: JSONValue
        var recipient: String
        var sentAt: Date
        /// The gates at which the phone is not.
        var absentAt: Set<Int> = []
        /// Whether the phone's record is being written to disk, or is written: only the store can still fail.
        var isDecided = false
    }

    public init(_ dependencies: PairingHostDependencies) {
        self.dependencies = dependencies
        core = DesktopPairing(
            own: dependencies.own,
            guesses: dependencies.guesses.kept,
            initialRights: dependencies.initialRights,
            now: dependencies.time.date
        )
        live = LatestValue(core.status(now: dependencies.time.date))
        // Subscribed here, so that nothing is missed when `run()` starts later.
        gateEvents = dependencies.gates.map { $0.events() }
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: The long-lived part

    /// Runs until its task is cancelled. Call once.
    public func run() async {
        nextSweep = dependencies.time.date  // records of an earlier run may be over
        wake.yield()
        await withDiscardingTaskGroup { group in
            for (gate, events) in gateEvents.enumerated() {
                group.addTask { [self] in
                    for await event in events { await receive(event, through: gate) }
                }
            }
            group.addTask { [self] in await keepTime() }
        }
        alias?.task.cancel()
        alias = nil
    }

    /// - Parameter gate: The gate at which the event arrived; answers go back there.
    func receive(_ event: PairingGateEvent, through gate: Int) async {
        guard let event = dependencies.bus.receive(event) else { return }
        switch event {
        case .message(let message, let payload, let sender):
            if let sender { routes.note(sender, at: gate) }
            do {
                let known = try await dependencies.phones.all()
                let now = dependencies.time.date
                let ticks = dependencies.time.ticks
                await perform(
                    core.receive(message, payload: payload, from: sender, known: known, now: now, ticks: ticks)
                )
            } catch {
                // Without the list a paired phone cannot be told from a stranger; the sender tries again.
                dependencies.logger.error("paired phones could not be read", metadata: ["reason": "\(error)"])
            }
        case .malformed:
            malformed.note()
            reportMalformed(now: dependencies.time.date)
        case .peerOffline(let id):
            await noteOffline(id, at: gate)
        case .disconnected:
            break
        case .reconnected:
            await repeatScans(notSentSince: dependencies.time.date)
        }
    }

    /// Logs the count of malformed pairing messages, at most once a second: strangers can send them as fast as the server allows.
    private func reportMalformed(now: Date) {
        guard let count = malformed.due(now: now) else {
            wake.yield()
            return
        }
        dependencies.logger.notice(
            "pairing messages dropped: not in the documented form",
            metadata: ["count": "\(count)"]
        )
    }

    /// Calls `tick()` once a second, but only while time alone may change something.
    private func keepTime() async {
        for await _ in wakes {
            while core.isWaiting || nextSweep != nil || malformed.count > 0 {
                await tick()
                guard await dependencies.time.pause(for: .seconds(1)) else { return }
            }
        }
    }

    private func tick() async {
        let now = dependencies.time.date
        if malformed.count > 0 { reportMalformed(now: now) }
        await perform(core.tick(now: now))
        await repeatScans(notSentSince: now.addingTimeInterval(-15))
        if let nextSweep, nextSweep <= now { await sweep(now: now) }
    }

    /// Removes the pairings that only this side knows of.
    private func sweep(now: Date) async {
        do {
            for phone in try await dependencies.phones.removeOver(at: now) {
                core.forget(phone.did)
                dependencies.logger.notice("pairing dropped: the phone never came", metadata: ["did": "\(phone.did)"])
            }
            nextSweep = try await dependencies.phones.all().compactMap { phone in
                if case .provisional(let until) = phone.state { until } else { nil }
            }.min()
        } catch is CancellationError {
            // The program ends; the next one sweeps.
        } catch {
            nextSweep = now.addingTimeInterval(10)
            dependencies.logger.error("provisional pairings could not be swept", metadata: ["reason": "\(error)"])
        }
    }

    func perform(_ effects: [DesktopPairing.Effect]) async {
        await keepGuesses()
        for effect in effects {
            switch effect {
            case .send(let payload, let recipient):
                do {
                    try await send(payload, to: recipient)
                } catch {
                    // The other side sends again, and is answered again.
                    dependencies.logger.notice("pairing message not sent", metadata: ["reason": "\(error)"])
                }
            case .changed:
                publish()
            case .requested(let request):
                dependencies.logger.notice(
                    "a device asks to be paired; see: tandem pair requests",
                    metadata: ["request": "\(request.id)"]
                )
                publish()
                await decide(request)
            case .drop(let request):
                await drop(request)
            case .scanEnded(let code, let result):
                await scanEnded(code, result)
            }
        }
    }

    /// Removes the pairing of a phone that gave up before it heard that it was accepted. A phone that has opened a session since
    /// holds the pairing, and keeps it.
    private func drop(_ request: PairingRequest) async {
        do {
            guard case .provisional? = try await dependencies.phones.record(request.did)?.state else { return }
            try await forgotten(by: request.did)
            core.noteWithdrawn(request, now: dependencies.time.date)
            dependencies.logger.notice(
                "pairing dropped: the phone took its request back",
                metadata: ["did": "\(request.did)"]
            )
            publish()
        } catch {
            // The record is provisional, so it ends by itself.
            dependencies.logger.error("a withdrawn pairing was not dropped", metadata: ["reason": "\(error)"])
        }
    }

    /// Stores the guesses. Called before the sender is answered, so that a guess counts even if the program ends right afterwards.
    private func keepGuesses() async {
        let record = core.guesses.record
        guard record != dependencies.guesses.kept else { return }
        do {
            try await dependencies.guesses.keep(record)
        } catch {
            dependencies.logger.error("wrong codes were not written down", metadata: ["reason": "\(error)"])
        }
    }

    private func decide(_ request: PairingRequest) async {
        guard dependencies.acceptsEverybody, !request.needsPerson else { return }
        do {
            try await accept(request.id)
        } catch {
            dependencies.logger.error("pairing was not accepted", metadata: ["reason": "\(error)"])
        }
    }

    /// Sends through the gate at which the recipient was last heard; through every gate while it was heard at none.
    func send(_ payload: JSONValue, to recipient: String) async throws {
        let all = Array(dependencies.gates.indices)
        try await send(payload, to: recipient, through: routes[recipient].map { [$0] } ?? all)
    }

    /// - Throws: ``PairingError/notSent(reason:)`` when no gate could send it.
    func send(_ payload: JSONValue, to recipient: String, through gates: [Int]) async throws {
        var reasons: [String] = []
        for gate in gates {
            do {
                try await dependencies.gates[gate].send(payload, to: recipient)
            } catch {
                reasons.append("\(error)")
            }
        }
        if reasons.count == gates.count {
            throw PairingError.notSent(reason: reasons.joined(separator: "; "))
        }
    }

    func publish() {
        var wanted: PairingCode?
        if case .shown(let shown) = core.codeStatus { wanted = shown.typed?.code }
        holdAlias(wanted)
        let status = currentStatus
        if let trouble = status.typedTrouble, live.value.typedTrouble?.reason != trouble.reason {
            dependencies.logger.notice("typed codes are not found", metadata: ["reason": "\(trouble.sentence)"])
        }
        live.set(status)
        wake.yield()
    }

    // MARK: Codes and requests

    /// Shows a new code in place of the one before.
    ///
    /// - Parameter options: ``PairingOptions/allowsDocumentedPeers`` lets a phone ask that cannot seal,
    ///   ``PairingOptions/digits`` says what may be typed.
    @discardableResult
    public func makeCode(options: PairingOptions = PairingOptions()) async throws -> ShownPairingCode {
        let addresses = await dependencies.addresses()
        let shown = try core.makeCode(options: options, addresses: addresses, now: dependencies.time.date)
        publish()
        try await waitForAlias()
        return shown
    }

    /// Shows the current code while it is valid, and else a new one.
    ///
    /// - Parameter options: See ``makeCode(options:)``. A code that lets in phones of another kind is not kept.
    package func showCode(options: PairingOptions = PairingOptions()) async throws {
        if core.keepCode(options: options, now: dependencies.time.date) {
            publish()
        } else {
            try await makeCode(options: options)
        }
    }

    /// Takes the code from the screen. It is void at once: a phone that uses it is told that it is over.
    ///
    /// - Returns: Whether a code was shown.
    @discardableResult
    public func withdrawCode() async -> Bool {
        let wasShown = core.window != nil
        await perform(core.withdrawCode(now: dependencies.time.date))
        return wasShown
    }

    /// The status to show now.
    public func status() -> PairingHostStatus { currentStatus }

    /// The status to show now, then each change.
    public nonisolated func statuses() -> AsyncStream<PairingHostStatus> { live.values() }

    /// The requests that wait for the person's decision, oldest first.
    public func requests() -> [PairingRequest] { status().requests }

    /// Pairs the phone of a request that the person accepted. When this returns, the record is on disk and the phone was told.
    ///
    /// - Parameter rights: Rights that the person gives the phone beside ``PairingHostDependencies/initialRights``.
    /// - Throws: ``PairingError/unknownRequest``, ``PairingError/numberNeeded``, ``PairingError/numbersDiffer`` (the
    ///   request is over then), ``PairingError/requestWithdrawn(name:)``, and what the store throws.
    @discardableResult
    public func accept(
        _ id: PairingRequest.ID,
        comparison: PairingComparison? = nil,
        allowing rights: Set<Right> = []
    ) async throws -> PairedPhone {
        let record: PairedPhone
        do {
            record = try core.accept(id, comparison: comparison, allowing: rights, now: dependencies.time.date)
        } catch PairingError.numbersDiffer {
            await perform(core.numbersDiffered(id, now: dependencies.time.date))
            throw PairingError.numbersDiffer
        }
        let phone: PairedPhone
        do {
            phone = try await save(record)
        } catch {
            await perform(core.failed(id, now: dependencies.time.date))
            throw error
        }
        let isWithdrawn = core.isWithdrawn(id)
        await perform(core.completed(id, as: phone, now: dependencies.time.date))
        guard !isWithdrawn else { throw PairingError.requestWithdrawn(name: phone.name) }
        await sendIceServers(to: phone.did, userID: dependencies.own.deviceID)
        return phone
    }

    /// Refuses a request, because the person said no.
    public func reject(_ id: PairingRequest.ID) async throws {
        await perform(try core.reject(id, now: dependencies.time.date))
    }

    func save(_ record: PairedPhone) async throws -> PairedPhone {
        let phone = try await dependencies.phones.save(record)
        if case .provisional(let until) = phone.state {
            nextSweep = min(nextSweep ?? until, until)
            wake.yield()
        }
        dependencies.logger.notice(
            "paired",
            metadata: ["did": "\(phone.did)", "endToEnd": "\(phone.isEndToEnd)"]
        )
        return phone
    }

    // MARK: Paired phones

    /// Confirms a pairing, because the phone's first record of a sealed session arrived: both sides hold the pairing. Records of
    /// the same device under an earlier identity are removed.
    ///
    /// - Returns: The record; nil for a phone that is not paired, which has to be told so.
    @discardableResult
    public func confirmed(by did: DID) async throws -> PairedPhone? {
        let now = dependencies.time.date
        let phone = try await dependencies.phones.update(did) { phone in
            phone.state = .confirmed
            phone.lastSeenAt = now
        }
        guard let phone else { return nil }
        for other in try await dependencies.phones.all()
        where other.deviceID == phone.deviceID && other.did != did && !phone.deviceID.isEmpty {
            try await dependencies.phones.remove(other.did)
            core.forget(other.did)
        }
        return phone
    }

    /// Notes that a paired phone was active: it was seen now, and gets fresh ICE servers if its own are twelve hours old.
    ///
    /// - Parameter gate: The server at which the phone is met now, by its place in ``PairingHostDependencies/gates``.
    public func noteActivity(of did: DID, through gate: Int? = nil) async throws {
        if let gate, dependencies.gates.indices.contains(gate) { routes.note(did.text, at: gate) }
        let now = dependencies.time.date
        // Written at most once a minute: people read it in minutes, and each write goes to the disk.
        if let notedAt = activityNotedAt[did], abs(now.timeIntervalSince(notedAt)) < 60 {
            guard try await dependencies.phones.record(did) != nil else { return }
        } else {
            guard try await dependencies.phones.update(did, { $0.lastSeenAt = now }) != nil else { return }
            activityNotedAt[did] = now
        }
        if let sentAt = iceSentAt[did], now.timeIntervalSince(sentAt) < 12 * 3600 { return }
        await sendIceServers(to: did, userID: did.text)
    }

    func sendIceServers(to did: DID, userID: String) async {
        let now = dependencies.time.date
        iceSentAt[did] = now
        let servers = dependencies.iceServers.servers(for: userID, now: now)
        let configuration = IceConfiguration(
            pcPeerID: dependencies.own.deviceID,
            iceServers: servers.list,
            expirySeconds: servers.expirySeconds,
            sentAtMilliseconds: now.millisecondsSince1970
        )
        do {
            try await send(PairingMessage.iceConfiguration(configuration).payload, to: did.text)
        } catch {
            // Without the list a direct connection may fail and the relay is used; the next activity sends it again.
            iceSentAt[did] = nil
            dependencies.logger.notice("ICE servers not sent", metadata: ["reason": "\(error)"])
        }
    }

    /// Removes a phone, and tells it if it can be reached. A phone that is away learns it when it comes back.
    ///
    /// - Throws: The store's error; the phone is not told then, and stays paired on both sides.
    public func forget(_ did: DID) async throws {
        let record = try await dependencies.phones.record(did)
        try await forgotten(by: did)
        guard let record else { return }
        do {
            try await dependencies.sendForget(record)
        } catch {
            dependencies.logger.info("a forgotten phone was not told yet", metadata: ["reason": "\(error)"])
        }
    }

    /// Forgets every phone, one by one.
    ///
    /// - Throws: The store's error; phones that were forgotten by then stay forgotten.
    public func forgetAll() async throws {
        for phone in try await dependencies.phones.all() { try await forget(phone.did) }
    }

    /// Removes the record of a phone that removed its own, or showed that it has none.
    public func forgotten(by did: DID) async throws {
        try await dependencies.phones.remove(did)
        core.forget(did)
        activityNotedAt[did] = nil
        iceSentAt[did] = nil
        routes.forget(did.text)
        publish()
    }

    func setLastPaired(_ phone: PairedPhone) {
        core.lastPaired = phone
        publish()
    }
}
