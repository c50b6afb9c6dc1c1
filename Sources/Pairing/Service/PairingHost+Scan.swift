import Foundation
import Kernel
public import Sealing

/// Flow A: the computer scans the code that a phone shows.
extension PairingHost {
    /// Reads a phone's code and sends nothing: the person is asked about it before ``pair(with:options:)``.
    public nonisolated func read(_ text: String) throws(PairingError) -> DevicePairingQR {
        try DevicePairingQR(scanned: text, now: dependencies.time.date)
    }

    /// Tells the phone that its code was scanned, and waits a minute for its answer.
    ///
    /// - Throws: ``PairingError``: the errors of ``read(_:)``, and the reason why the phone cannot be paired.
    @discardableResult
    public func pair(with qr: DevicePairingQR, options: PairingOptions = PairingOptions()) async throws -> PairedPhone {
        let outcomes = scanOutcomes.subscribe()
        let late = scanOutcomes.subscribe()
        let known = try await dependencies.phones.all()
        let now = dependencies.time.date
        let payload = try core.openScan(of: qr, options: options, known: known, now: now)
        if let phone = core.unconfirmedPhone(qr, allowing: options.allowing, now: now) {
            try await tell(payload, to: qr)
            let saved = try await save(phone)
            setLastPaired(saved)
            return saved
        }
        openScans[qr.code] = OpenScan(payload: payload, recipient: qr.did.text, sentAt: now)
        defer {
            openScans[qr.code] = nil
            core.closeScan(qr.code)
        }
        publish()
        // One server after the other, so that the hub learns nothing of a phone that is on this network.
        try await sendScan(qr.code, from: 0)
        do {
            return try await withTimeout(
                .seconds(60),
                on: dependencies.time,
                throwing: PairingError.noAnswer(afterSeconds: 60)
            ) {
                for await outcome in outcomes where outcome.code == qr.code { return try outcome.result.get() }
                throw CancellationError()
            }
        } catch PairingError.noAnswer where openScans[qr.code]?.isDecided == true {
            // The answer came in the last moment: a failure would be wrong, because the phone is listed.
            for await outcome in late where outcome.code == qr.code { return try outcome.result.get() }
            throw CancellationError()
        } catch let error as PairingError where error.facts.kind == .expired {
            throw qr.ageDoubt ?? error
        }
    }

    /// Tells a phone that never answers, at one server after the other, and stops at the first that does not report within a second
    /// that the phone is not there.
    ///
    /// - Throws: ``PairingError/deviceOffline(name:)`` when every server says so, ``PairingError/notSent(reason:)``.
    private func tell(_ payload: JSONValue, to qr: DevicePairingQR) async throws {
        var reasons: [String] = []
        for gate in dependencies.gates {
            let events = dependencies.bus.events()
            do {
                try await gate.send(payload, to: qr.did.text)
            } catch {
                reasons.append("\(error)")
                continue
            }
            guard try await isReportedOffline(qr.did.text, in: events) else { return }
        }
        guard reasons.count < dependencies.gates.count else {
            throw PairingError.notSent(reason: reasons.joined(separator: "; "))
        }
        throw PairingError.deviceOffline(name: qr.deviceInfo.name)
    }

    private func isReportedOffline(_ id: String, in events: AsyncStream<PairingMessageBus.Event>) async throws -> Bool {
        let deadline = dependencies.time.now + .seconds(1)
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await case .peerOffline(id) in events { return true }
                throw CancellationError()
            }
            group.addTask { [time = dependencies.time] in
                try await time.sleep(until: deadline, tolerance: nil)
                return false
            }
            return try await group.next() ?? false
        }
    }

    /// Whether this phone's code was scanned and its answer is still to come. The phone may hold the pairing already.
    public func isScanOpen(for did: DID) -> Bool {
        openScans.values.contains { $0.recipient == did.text }
    }

    func scanEnded(_ code: PairingCode, _ result: Result<PairedPhone, PairingError>) async {
        switch result {
        case .success(let record):
            openScans[code]?.isDecided = true
            do {
                let phone = try await save(record)
                setLastPaired(phone)
                scanOutcomes.send((code, .success(phone)))
                await sendIceServers(to: phone.did, userID: dependencies.own.deviceID)
            } catch {
                scanOutcomes.send((code, .failure(error)))
            }
        case .failure(let error):
            scanOutcomes.send((code, .failure(error)))
        }
    }

    /// Repeats the messages to scanned phones, which may have been lost; a repeat of the same bytes does no harm.
    func repeatScans(notSentSince date: Date) async {
        for (code, scan) in openScans where scan.sentAt <= date {
            openScans[code]?.sentAt = dependencies.time.date
            openScans[code]?.absentAt = []
            await perform([.send(scan.payload, to: scan.recipient)])
        }
    }

    /// Sends the message through the first gate that takes it, from `gate` on.
    private func sendScan(_ code: PairingCode, from gate: Int) async throws {
        guard let scan = openScans[code] else { return }
        var reasons: [String] = []
        for gate in dependencies.gates.indices.dropFirst(gate) where !scan.absentAt.contains(gate) {
            do {
                return try await send(scan.payload, to: scan.recipient, through: [gate])
            } catch {
                openScans[code]?.absentAt.insert(gate)
                reasons.append("\(error)")
            }
        }
        guard reasons.isEmpty else { throw PairingError.notSent(reason: reasons.joined(separator: "; ")) }
        throw PairingError.deviceOffline(name: "The phone")
    }

    /// Handles a server's report that a phone is offline: the phone may be at the next server. When it is at none, the person
    /// is told at once, before the minute is over.
    func noteOffline(_ id: String, at gate: Int) async {
        for (code, scan) in openScans where scan.recipient == id && !scan.absentAt.contains(gate) {
            openScans[code]?.absentAt.insert(gate)
            do {
                try await sendScan(code, from: gate + 1)
            } catch {
                guard openScans[code]?.absentAt.count == dependencies.gates.count else { continue }
                scanOutcomes.send((code, .failure(PairingError.deviceOffline(name: "The phone"))))
            }
        }
    }
}
