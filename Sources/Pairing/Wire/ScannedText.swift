import Foundation
import Kernel
import Sealing

/// The part of reading a QR code that both kinds of code share, with a bound on the size and the documented order of checks.
enum ScannedText {
    /// The largest number of bytes that a QR code of ours could hold.
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

    /// Throws for a code older than five minutes, or more than five minutes in the future; five minutes exactly is valid. A code
    /// from the future comes from a wrong clock: other programs allow five minutes too, and the error hints at the clocks.
    static func checkAge(sinceMilliseconds sentAt: Int64, now: Date) throws(PairingError) {
        let (age, overflow) = now.millisecondsSince1970.subtractingReportingOverflow(sentAt)
        guard !overflow, age <= 300_000 else { throw .codeExpired(ageSeconds: overflow ? Int64.max : age / 1000) }
        guard age >= -300_000 else { throw .codeFromTheFuture(aheadSeconds: -(age / 1000)) }
    }

    /// Like ``checkAge(sinceMilliseconds:now:)``, but for a code with an offer: its maker ends it by its own clock and proves its
    /// identity, so a clock that differs here is only a doubt.
    ///
    /// - Returns: The error to show where the code does not work.
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
        // A damaged offer is refused, because ignoring it would mean pairing in the clear.
        do { return try offer.decode(as: QROffer.self) } catch { throw .damagedCode(field: "e2e") }
    }

    static func deviceInfo(in value: JSONValue) -> PairingDeviceInfo {
        // Without an object here the device has no name; no decision depends on it.
        let info = value["deviceInfo"].flatMap { try? $0.decode(as: PairingDeviceInfo.self) }
        return (info ?? PairingDeviceInfo(name: "", platform: .other(""))).checked
    }
}
