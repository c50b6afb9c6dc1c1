import Foundation
import Kernel
import Logging
import Sealing

extension PhonePairing {
    /// A signal that an attempt waits for.
    private enum Signal: Sendable {
        case bus(PairingMessageBus.Event)
        case second
    }

    /// What one pairing is begun with.
    struct Plan: Sendable {
        var own: OwnDevice
        /// The longest wait for the computer's first message, in seconds.
        var patience: TimeInterval
        var options: PairingOptions
        var confirm: @Sendable (String) async throws -> Bool = { _ in false }
        var progress: @Sendable (PairingProgress) async -> Void
    }

    /// The longest wait for the computer's decision once it has answered, in seconds, because a person has to decide.
    private static let decisionPatience: TimeInterval = 300

    /// The failure of one way, after which the next is tried.
    private struct WayLost: Error {
        var reason: String
        var isOffline = false
    }

    /// Tries `ways` in order with one exchange: a message that is sent again on the next way is the same, byte for byte.
    func run(
        _ exchange: some PhoneExchange,
        _ plan: Plan,
        through ways: [PairingWay]
    ) async throws -> PairedDesktop {
        var exchange = exchange
        var attempts: [PairingAttempt] = []
        var isOfflineEverywhere = true
        await plan.progress(.identified(key: plan.own.identity.did.fingerprint))
        do {
            for (index, way) in ways.enumerated() {
                do {
                    var desktop = try await attempt(&exchange, plan, way, isLast: index == ways.count - 1)
                    desktop.noteWay(way)
                    let known = try await checked(desktop, options: plan.options)
                    try await confirm(exchange.comparisonNumber, plan)
                    // From here on the devices are paired, and a cancellation must not stop halfway.
                    try Task.checkCancellation()
                    return try await withCancellationShield { [self] in try await save(known) }
                } catch let lost as WayLost {
                    attempts.append(PairingAttempt(way: way.way, reason: lost.reason))
                    isOfflineEverywhere = isOfflineEverywhere && lost.isOffline
                }
            }
            guard !isOfflineEverywhere else { throw exchange.offlineError }
            throw PairingError.unreachable(attempts)
        } catch {
            if !isOfflineEverywhere || attempts.count < ways.count { await withdraw(exchange, own: plan.own) }
            // The address may have come from a code that led nowhere, so the connection to it is forgotten.
            await dependencies.gate.reset()
            throw error
        }
    }

    /// Asks the person about a number that only the two screens have in common. Where they do not say yes, the withdrawal of the question tells the
    /// computer, which may be the true one, that this phone keeps nothing.
    private func confirm(_ number: String?, _ plan: Plan) async throws {
        guard let number else { return }
        await plan.progress(.confirm(number: number))
        let isSame = try await withTimeout(
            .seconds(Self.decisionPatience),
            on: dependencies.time,
            throwing: PairingError.numberUnconfirmed
        ) { try await plan.confirm(number) }
        guard isSame else { throw PairingError.numberUnconfirmed }
    }

    private static let withdrawalPatience = Duration.seconds(3)

    /// Tells the computer that its person need not decide any more: this phone's person gave up, or an unsigned message ended the wait.
    private func withdraw(_ exchange: some PhoneExchange, own: OwnDevice) async {
        guard let question = exchange.question else { return }
        do {
            let code = exchange.shownCode
            let signature = try WithdrawalSignature.make(
                identity: own.identity,
                code: code.digits,
                digest: DesktopPairing.digest(of: question.payload)
            )
            let withdrawal = PairingWithdrawal(code: code, mobileDID: own.identity.did.text, signature: signature)
            let payload = try PairingMessage.withdrawal(withdrawal).payload
            // A cancelled task would send nothing, and its canceller must not wait for a connection that is stuck.
            try await withCancellationShield { [self] in
                try await withTimeout(
                    Self.withdrawalPatience,
                    on: dependencies.time,
                    throwing: PairingError.noAnswer(afterSeconds: Self.withdrawalPatience.components.seconds)
                ) { [self] in
                    await sendIfPossible(payload, to: question.recipient)
                }
            }
        } catch {
            // The request ends by itself.
            dependencies.logger.notice("a request was not taken back", metadata: ["reason": "\(error)"])
        }
    }

    /// Throws for a computer that is known with another key, unless the person accepted that.
    func checked(_ desktop: PairedDesktop, options: PairingOptions) async throws -> PairedDesktop {
        guard !options.acceptsNewIdentity, let known = try await dependencies.desktops.record(desktop.pcPeerID),
            known.isEndToEnd, known.agreementKey != desktop.agreementKey || known.did != desktop.did
        else { return desktop }
        throw PairingError.keyChanged(name: known.deviceName)
    }

    private func attempt(
        _ exchange: inout some PhoneExchange,
        _ plan: Plan,
        _ way: PairingWay,
        isLast: Bool
    ) async throws -> PairedDesktop {
        let events: AsyncStream<PairingMessageBus.Event>
        do {
            try await connect(to: way.address, own: plan.own)
            events = dependencies.bus.events()  // before anything is sent that could be answered
            if let outgoing = exchange.outgoing { try await dependencies.gate.send(outgoing, to: exchange.recipient) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw WayLost(reason: Self.phrase(error))
        }
        let deadline = dependencies.time.date.addingTimeInterval(plan.patience)
        await plan.progress(.waiting(until: deadline))
        let (signals, merged) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(256))
        let feeder = Task { [time = dependencies.time] in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await event in events { merged.yield(.bus(event)) }
                    merged.finish()
                }
                group.addTask {
                    while await time.pause(for: .seconds(1)) { merged.yield(.second) }
                }
            }
        }
        defer { feeder.cancel() }
        return try await wait(for: &exchange, plan, on: signals, isLast: isLast, deadline: deadline)
    }

    private func wait(
        for exchange: inout some PhoneExchange,
        _ plan: Plan,
        on signals: AsyncStream<Signal>,
        isLast: Bool,
        deadline first: Date
    ) async throws -> PairedDesktop {
        var deadline = first
        let beganAt = dependencies.time.date
        var sentAt = beganAt
        for await signal in signals {
            switch signal {
            case .bus(.message(let message, _, let sender)):
                switch exchange.receive(message, from: sender, now: dependencies.time.date) {
                case .ignored: break
                case .send:
                    sentAt = dependencies.time.date
                    if let outgoing = exchange.outgoing { await sendIfPossible(outgoing, to: exchange.recipient) }
                    deadline = first.addingTimeInterval(Self.decisionPatience - plan.patience)
                    await plan.progress(.waiting(until: deadline))
                    if let number = exchange.comparisonNumber { await plan.progress(.compare(number: number)) }
                case .paired(let desktop): return desktop
                case .failed(let error): throw error
                }
            case .bus(.peerOffline(let id)) where id == exchange.recipient:
                if exchange.recipientLeft() {
                    if let outgoing = exchange.outgoing { await sendIfPossible(outgoing, to: exchange.recipient) }
                    continue
                }
                // An immediate report means that the computer was not there; a later one, that it was there and has left.
                if let gone = exchange.goneError, dependencies.time.date.timeIntervalSince(beganAt) >= 1 { throw gone }
                throw WayLost(reason: "the computer is not there", isOffline: true)
            case .bus(.disconnected(let reason)) where !isLast || exchange.desktopWithoutAnswer != nil:
                throw WayLost(reason: "the connection was lost (\(reason))")
            case .bus(.reconnected):
                guard await mayRepeat(exchange) else { continue }
                sentAt = dependencies.time.date
                if let outgoing = exchange.outgoing { await sendIfPossible(outgoing, to: exchange.recipient) }
            case .bus: break
            case .second:
                // A computer of this kind never answers; the server would have said by now if it were not there.
                if let desktop = exchange.desktopWithoutAnswer { return desktop }
                let now = dependencies.time.date
                guard now < deadline else {
                    throw PairingError.noAnswer(afterSeconds: Int64(deadline.timeIntervalSince(first) + plan.patience))
                }
                // The message may have been lost; the computer recognises a repeat.
                if now.timeIntervalSince(sentAt) >= 15, let outgoing = exchange.outgoing, await mayRepeat(exchange) {
                    sentAt = now
                    await sendIfPossible(outgoing, to: exchange.recipient)
                }
            }
        }
        throw CancellationError()
    }

    private func mayRepeat(_ exchange: some PhoneExchange) async -> Bool {
        if exchange.mayRepeat { return true }
        return await dependencies.gate.dropsForAbsentAliases
    }

    func connect(to address: SignalingAddress, own: OwnDevice) async throws {
        await dependencies.gate.reset()
        try await dependencies.gate.connect(to: address.url)
        try await dependencies.gate.register(as: own.identity.did.text, device: own.phoneInfo)
    }

    /// The error's text as a phrase inside a sentence: one line without the full stop.
    static func phrase(_ error: any Error) -> String {
        let text = TerminalText.line(String("\(error)".prefix(512)))
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

extension PairedDesktop {
    /// Sets the address at which the computer was reached, unless its code named one.
    fileprivate mutating func noteWay(_ way: PairingWay) {
        switch way.way {
        case .lan: lanSignalingURL = lanSignalingURL ?? way.address.url
        case .relay: relayURL = relayURL ?? way.address.url
        }
    }
}
