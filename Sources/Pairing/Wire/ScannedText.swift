import Foundation
import Kernel
import Sealing

/// The parts of reading a QR code that both kinds share: bounded, and in the documented order of checks.
enum ScannedText {
    /// The most a QR code of ours could hold.
    static let limit = 4096
    static let lifetime: Duration = .seconds(300)

    /// The JSON object in `text`.
    static func object(in text: String, type: String) throws(PairingError) -> JSONValue {
        guard text.utf8.count <= limit, let value = try? JSONValue(parsing: text.utf8), value.objectValue != nil else {
            throw .notAPairingCode
        }
        guard let found = value["type"]?.stringValue else { throw .notAPairingCode }
        guard found == type else { throw .wrongKindOfCode(found: PeerText.name(found)) }
        return value
    }

    /// Five minutes exactly is still valid. Codes from the future are what a wrong clock makes: up to five minutes
    /// are let pass, as other programs do, and more is refused with a hint.
    static func checkAge(sinceMilliseconds sentAt: Int64, now: Date) throws(PairingError) {
        let (age, overflow) = now.millisecondsSince1970.subtractingReportingOverflow(sentAt)
        guard !overflow, age <= 300_000 else { throw .codeExpired(ageSeconds: overflow ? Int64.max : age / 1000) }
        guard age >= -300_000 else { throw .codeFromTheFuture(aheadSeconds: -(age / 1000)) }
    }

    /// ``checkAge(sinceMilliseconds:now:)`` for a code with an offer. Its maker ends it by its own clock and proves who it is, so that a
    /// clock that differs here is only a doubt.
    ///
    /// - Returns: What to say where the code does not work.
    static func ageDoubt(sinceMilliseconds sentAt: Int64, now: Date) -> PairingError? {
        do throws(PairingError) {
            try checkAge(sinceMilliseconds: sentAt, now: now)
            return nil
        } catch {
            return error
        }
    }

    static func offer(in value: JSONValue) throws(PairingError) -> QROffer? {
        guard let offer = value["e2e"], offer != .null else { return nil }
        // A damaged offer is refused and not ignored: ignoring it would be pairing in the clear.
        do { return try offer.decode(as: QROffer.self) } catch { throw .damagedCode(field: "e2e") }
    }

    static func deviceInfo(in value: JSONValue) -> PairingDeviceInfo {
        // Without it, or with one that is not an object, the device has no name; nothing is decided by it.
        let info = value["deviceInfo"].flatMap { try? $0.decode(as: PairingDeviceInfo.self) }
        return (info ?? PairingDeviceInfo(name: "", platform: .other(""))).checked
    }
}
