import Foundation
import Kernel

/// Flow A: the phone shows a code that a computer scans.
extension PhonePairing {
    /// Registers at the first server that can be reached, and makes a code to show.
    public func makeCode(options: PairingOptions = PairingOptions()) async throws -> ShownCode {
        let own = try await dependencies.ownDevice()
        let addresses = await dependencies.addresses()
        guard !addresses.isEmpty else { throw PairingError.noAddress }
        var attempts: [PairingAttempt] = []
        for address in addresses {
            do {
                try await connect(to: address, own: own)
                var generator = SystemRandomNumberGenerator()
                let exchange = try ShownDeviceExchange(
                    code: .random(using: &generator),
                    own: own,
                    allowsDocumentedPeers: options.allowsDocumentedPeers,
                    address: address,
                    now: dependencies.time.date
                )
                endShownCode()
                shown = exchange
                // Subscribed before the caller gets the code, because an answer may come before the caller waits for it.
                shownEvents = dependencies.bus.events()
                return ShownCode(qr: exchange.qr)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let way: PairingAttempt.Way = address.isLocal ? .lan : .relay
                attempts.append(PairingAttempt(way: way, reason: Self.phrase(error)))
            }
        }
        throw PairingError.unreachable(attempts)
    }

    /// Withdraws the shown code. It is void at once: a computer that scans it is told that it is over.
    ///
    /// - Returns: Whether a code was shown; false also when a computer has used it.
    @discardableResult
    public func withdrawCode() -> Bool {
        guard let shown, !shown.isAnswered, !isAccepting else { return false }
        let qr = shown.qr
        endShownCode()
        withdrawn.set(qr)
        return true
    }

    /// Waits until a computer has scanned the code that ``makeCode(options:)`` made last.
    ///
    /// - Throws: ``PairingError/shownCodeExpired`` after five minutes, ``PairingError/codeWithdrawn``, or the reason why a computer
    ///   was refused.
    public func desktopScanning(
        _ code: ShownCode,
        options: PairingOptions = PairingOptions()
    ) async throws -> PairedDesktop {
        guard let exchange = shown, exchange.qr == code.qr, let events = shownEvents else {
            throw withdrawn.value == code.qr ? PairingError.codeWithdrawn : .shownCodeExpired
        }
        shownEvents = nil
        let remaining = max(0, code.expiresAt.timeIntervalSince(dependencies.time.date))
        do {
            return try await withTimeout(
                .seconds(remaining),
                on: dependencies.time,
                throwing: PairingError.shownCodeExpired
            ) { [withdrawn] in
                try await withThrowingTaskGroup(of: PairedDesktop.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await self.computer(showing: code, options: options, in: events) }
                    group.addTask {
                        for await qr in withdrawn.values() where qr == code.qr { throw PairingError.codeWithdrawn }
                        throw CancellationError()
                    }
                    guard let desktop = try await group.next() else { throw CancellationError() }
                    return desktop
                }
            }
        } catch {
            // A computer came in the last moment: a failure would be wrong, because the computer is listed.
            if case PairingError.shownCodeExpired = error, shown?.qr == code.qr, let accepted { return accepted }
            // With no caller waiting for an answer, the code ends.
            if shown?.qr == code.qr { endShownCode() }
            throw error
        }
    }

    private func computer(
        showing code: ShownCode,
        options: PairingOptions,
        in events: AsyncStream<PairingMessageBus.Event>
    ) async throws -> PairedDesktop {
        for await event in events {
            guard case .message(let message, let payload, let sender) = event else { continue }
            let desktop = try await receive(message, payload, from: sender, showing: code, options: options)
            if let desktop { return desktop }
        }
        throw CancellationError()
    }

    private func receive(
        _ message: PairingMessage,
        _ payload: JSONValue,
        from sender: String?,
        showing code: ShownCode,
        options: PairingOptions
    ) async throws -> PairedDesktop? {
        // Another code is on the screen: its messages are not for the caller that waits for this one.
        guard var exchange = shown, exchange.qr == code.qr else { throw PairingError.shownCodeExpired }
        let step = exchange.receive(message, payload: payload, from: sender, now: dependencies.time.date)
        shown = exchange
        switch step {
        case .ignored:
            return nil
        case .send(let reply, let recipient):
            await sendIfPossible(reply, to: recipient)
            return nil
        case .failed(let error, let reply, let recipient):
            if let reply { await sendIfPossible(reply, to: recipient) }
            throw error
        case .decide(let desktop):
            return try await accept(desktop, options: options)
        }
    }

    private func accept(_ desktop: PairedDesktop, options: PairingOptions) async throws -> PairedDesktop {
        isAccepting = true
        defer { isAccepting = false }
        let saved: PairedDesktop
        do {
            saved = try await save(try await checked(desktop, options: options))
        } catch {
            var reason = PairingReject.Reason.busy
            if case PairingError.keyChanged = error { reason = .keyChanged }
            let refusal = PairingReject(code: shown?.qr.code.digits ?? "", reason: reason)
            await sendIfPossible(try PairingMessage.reject(refusal).payload, to: desktop.pcPeerID)
            throw error
        }
        // The record is on disk before the computer is told, so that the computer never holds a pairing that this phone lost.
        if var exchange = shown, let answer = try exchange.accept(now: dependencies.time.date) {
            shown = exchange
            await sendIfPossible(answer.reply, to: answer.recipient)
        }
        accepted = saved
        return saved
    }
}
