import Foundation
import Kernel
public import Sealing

/// Flow A: the computer scans the code that a phone shows.
extension PairingHost {
    /// Reads a phone's code, without telling anybody: what the person is asked about before ``pair(with:options:)``.
    public nonisolated func read(_ text: String) throws(PairingError) -> DevicePairingQR {
        try DevicePairingQR(scanned: text, now: dependencies.now())
    }

    /// Tells the phone that its code was scanned, and waits a minute for its answer.
    ///
    /// - Throws: ``PairingError``: what ``read(_:)`` does, and why the phone cannot be paired.
    @discardableResult
    public func pair(with qr: DevicePairingQR, options: PairingOptions = PairingOptions()) async throws -> PairedPhone {
        let outcomes = scanOutcomes.subscribe()
        let known = try await dependencies.phones.all()
        let now = dependencies.now()
        let payload = try core.openScan(of: qr, options: options, known: known, now: now)
        if let phone = core.unconfirmedPhone(qr, now: now) {
            try await send(payload, to: qr.did.text)
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
        try await send(payload, to: qr.did.text)
        return try await withTimeout(
            .seconds(60),
            on: dependencies.clock,
            throwing: PairingError.noAnswer(afterSeconds: 60)
        ) {
            for await outcome in outcomes where outcome.code == qr.code { return try outcome.result.get() }
            throw CancellationError()
        }
    }

    /// Whether this phone's code was scanned and its answer is still to come: it may believe already that it is paired.
    public func isScanOpen(for did: DID) -> Bool {
        openScans.values.contains { $0.recipient == did.text }
    }

    func scanEnded(_ code: PairingCode, _ result: Result<PairedPhone, PairingError>) async {
        switch result {
        case .success(let record):
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

    /// What was sent may have been lost; the same bytes do no harm twice.
    func repeatScans(notSentSince date: Date) async {
        for (code, scan) in openScans where scan.sentAt <= date {
            openScans[code]?.sentAt = dependencies.now()
            openScans[code]?.offlineReports = 0
            await perform([.send(scan.payload, to: scan.recipient)])
        }
    }

    /// A phone that no gate knows is not there: say so at once, without waiting for the minute to pass.
    func noteOffline(_ id: String) {
        for (code, scan) in openScans where scan.recipient == id {
            openScans[code]?.offlineReports += 1
            guard scan.offlineReports + 1 >= dependencies.gates.count else { continue }
            scanOutcomes.send((code, .failure(PairingError.deviceOffline(name: "The phone"))))
        }
    }
}
