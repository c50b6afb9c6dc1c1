import Foundation
import Kernel
import Sealing

/// The part of reading a QR code that both kinds of code share, with a bound on the size and the documented order of checks.
enum ScannedText {
    /// The largest number of bytes that a QR code of ours could hold.
    static let limit = 4096
    static let lifetime: Duration = .seconds(300)

    /// The JSON object in `text`, or the one that a link stands for.
    static func object(in text: String, type: String) throws(PairingError) -> JSONValue {
        guard text.utf8.count <= limit else { throw .notAPairingCode }
        let link = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let value: JSONValue
        if link.hasPrefix("https://") || link.hasPrefix("http://") {
            value = try PairingLink(link).json
        } else {
            guard let parsed = try? JSONValue(parsing: text.utf8), parsed.objectValue != nil else {
                throw .notAPairingCode
            }
            value = parsed
        }
        guard let found = value["type"]?.stringValue else { throw .notAPairingCode }
        guard found == type else { throw .wrongKindOfCode(found: PeerText.name(found)) }
        return value
    }

    /// When the code was made, and the doubt about it: where the code has an offer, its maker ends it by its own clock and proves its
    /// identity, so a clock that differs here is only a doubt.
    ///
    /// - Throws: The doubt about a code without an offer, whose own time is the only thing that ends it.
    static func age(in value: JSONValue, now: Date) throws(PairingError) -> (createdAt: Date, doubt: PairingError?) {
        let createdAt = value["timestamp"]?.liberalInteger ?? 0
        let doubt = ageDoubt(sinceMilliseconds: createdAt, now: now)
        if let doubt, value["e2e"].map({ $0 == .null }) ?? true { throw doubt }
        return (Date(millisecondsSince1970: createdAt), doubt)
    }

    /// The error for a code older than five minutes, or more than five minutes in the future; five minutes exactly is valid. A code
    /// from the future comes from a wrong clock: other programs allow five minutes too, and the error hints at the clocks.
    private static func ageDoubt(sinceMilliseconds sentAt: Int64, now: Date) -> PairingError? {
        let (age, overflow) = now.millisecondsSince1970.subtractingReportingOverflow(sentAt)
        guard !overflow, age <= 300_000 else { return .codeExpired(ageSeconds: overflow ? Int64.max : age / 1000) }
        return age < -300_000 ? .codeFromTheFuture(aheadSeconds: -(age / 1000)) : nil
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
