import Foundation
import Kernel
import Rights
public import Sealing

/// A column's value.
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

/// A record that knows its table.
public protocol SQLitePairingRecord: PairingRecord {
    static var table: String { get }
    static var idColumn: String { get }
    static var schema: String { get }
    /// What later versions added to the table, oldest first.
    static var additions: [String] { get }
    static func text(of id: ID) -> String
    /// Nil when the columns are not a record.
    init?(columns: [String: SQLiteValue])
    var columns: [String: SQLiteValue] { get }
}

extension PairedDesktop: SQLitePairingRecord {
    public static var table: String { "pairedDesktop" }
    public static var idColumn: String { "pcPeerId" }
    public static func text(of id: String) -> String { id }

    public static var schema: String {
        """
        CREATE TABLE pairedDesktop (
            pcPeerId TEXT PRIMARY KEY NOT NULL, deviceName TEXT NOT NULL, platform TEXT NOT NULL,
            lanSignalingUrl TEXT, relayUrl TEXT, iceServersJson TEXT, iceExpiry INTEGER NOT NULL,
            pairedAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
            did TEXT, agreementKey BLOB, state TEXT NOT NULL, provisionalUntil INTEGER
        ) STRICT
        """
    }

    public init?(columns: [String: SQLiteValue]) {
        guard let pcPeerID = columns["pcPeerId"]?.text, !pcPeerID.isEmpty, let name = columns["deviceName"]?.text,
            let platform = columns["platform"]?.text, let pairedAt = columns["pairedAt"]?.integer,
            let lastSeenAt = columns["lastSeenAt"]?.integer, let state = PairingState(columns: columns),
            let keys = PeerKeys(columns: columns)
        else { return nil }
        self.init(
            pcPeerID: pcPeerID,
            deviceName: name,
            platform: PairingPlatform(rawValue: platform),
            lanSignalingURL: columns["lanSignalingUrl"]?.text.flatMap { URL(string: $0) },
            relayURL: columns["relayUrl"]?.text.flatMap { URL(string: $0) },
            iceServersJSON: columns["iceServersJson"]?.text,
            iceExpirySeconds: columns["iceExpiry"]?.integer ?? 0,
            pairedAt: Date(millisecondsSince1970: pairedAt),
            lastSeenAt: Date(millisecondsSince1970: lastSeenAt),
            did: keys.did,
            agreementKey: keys.agreementKey,
            state: state,
            clearRights: Right.stored(columns["clearRightsJson"]?.text.flatMap { Self.texts($0) } ?? [])
        )
    }

    public var columns: [String: SQLiteValue] {
        [
            "pcPeerId": .text(pcPeerID), "deviceName": .text(deviceName), "platform": .text(platform.rawValue),
            "lanSignalingUrl": .optional(lanSignalingURL?.absoluteString),
            "relayUrl": .optional(relayURL?.absoluteString), "iceServersJson": .optional(iceServersJSON),
            "iceExpiry": .integer(iceExpirySeconds), "pairedAt": .integer(pairedAt.millisecondsSince1970),
            "lastSeenAt": .integer(lastSeenAt.millisecondsSince1970), "did": .optional(did?.text),
            "agreementKey": agreementKey.map { .bytes($0.bytes) } ?? .null, "state": .text(state.columnText),
            "provisionalUntil": state.columnDate, "clearRightsJson": Self.json(clearRights.map(\.rawValue).sorted()),
        ]
    }

    /// Computers that were paired without sealing before this was asked: nothing until the person says so.
    public static var additions: [String] {
        ["ALTER TABLE pairedDesktop ADD COLUMN clearRightsJson TEXT NOT NULL DEFAULT '[]'"]
    }
}

extension PairedPhone: SQLitePairingRecord {
    public static var table: String { "pairedPhone" }
    public static var idColumn: String { "did" }
    public static func text(of id: DID) -> String { id.text }

    public static var schema: String {
        """
        CREATE TABLE pairedPhone (
            did TEXT PRIMARY KEY NOT NULL, deviceId TEXT NOT NULL, name TEXT NOT NULL, platform TEXT NOT NULL,
            addressesJson TEXT NOT NULL, agreementKey BLOB, pairedAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
            allowedSkillsJson TEXT NOT NULL, state TEXT NOT NULL, provisionalUntil INTEGER
        ) STRICT
        """
    }

    public init?(columns: [String: SQLiteValue]) {
        guard let keys = PeerKeys(columns: columns), let did = keys.did, let deviceID = columns["deviceId"]?.text,
            let name = columns["name"]?.text, let platform = columns["platform"]?.text,
            let pairedAt = columns["pairedAt"]?.integer, let lastSeenAt = columns["lastSeenAt"]?.integer,
            let state = PairingState(columns: columns),
            // What a phone may do is never guessed: a damaged list is a damaged record.
            let skills = columns["allowedSkillsJson"]?.text.flatMap({ Self.texts($0) })
        else { return nil }
        self.init(
            did: did,
            deviceID: deviceID,
            name: name,
            platform: PairingPlatform(rawValue: platform),
            addresses: (columns["addressesJson"]?.text.flatMap { Self.texts($0) } ?? []).compactMap { URL(string: $0) },
            agreementKey: keys.agreementKey,
            pairedAt: Date(millisecondsSince1970: pairedAt),
            lastSeenAt: Date(millisecondsSince1970: lastSeenAt),
            allowedSkills: Right.stored(skills),
            unsignedRights: Right.stored(columns["unsignedRightsJson"]?.text.flatMap { Self.texts($0) } ?? []),
            state: state
        )
    }

    public var columns: [String: SQLiteValue] {
        [
            "did": .text(did.text), "deviceId": .text(deviceID), "name": .text(name),
            "platform": .text(platform.rawValue), "addressesJson": Self.json(addresses.map(\.absoluteString)),
            "agreementKey": agreementKey.map { .bytes($0.bytes) } ?? .null,
            "pairedAt": .integer(pairedAt.millisecondsSince1970),
            "lastSeenAt": .integer(lastSeenAt.millisecondsSince1970),
            "allowedSkillsJson": Self.json(allowedSkills.map(\.rawValue).sorted()), "state": .text(state.columnText),
            "provisionalUntil": state.columnDate,
            "unsignedRightsJson": Self.json(unsignedRights.map(\.rawValue).sorted()),
        ]
    }

    public static var additions: [String] {
        ["ALTER TABLE pairedPhone ADD COLUMN unsignedRightsJson TEXT NOT NULL DEFAULT '[]'"]
    }
}

extension SQLitePairingRecord {
    fileprivate static func json(_ texts: [String]) -> SQLiteValue {
        .text(JSONValue.array(texts.map { .string($0) }).canonicalText)
    }

    fileprivate static func texts(_ json: String) -> [String]? {
        // Nil says it: not a list of texts.
        guard let values = try? JSONValue(parsing: json.utf8).arrayValue else { return nil }
        let texts = values.compactMap(\.stringValue)
        return texts.count == values.count ? texts : nil
    }
}

/// The two columns that say who a peer is; a key that is there and damaged is not the same as none.
private struct PeerKeys {
    var did: DID?
    var agreementKey: AgreementPublicKey?

    init?(columns: [String: SQLiteValue]) {
        if let text = columns["did"]?.text {
            guard let did = try? DID(text) else { return nil }
            self.did = did
        }
        if let bytes = columns["agreementKey"]?.bytes {
            guard let key = try? AgreementPublicKey(bytes) else { return nil }
            agreementKey = key
        }
    }
}

extension PairingState {
    fileprivate init?(columns: [String: SQLiteValue]) {
        switch columns["state"]?.text {
        case "confirmed": self = .confirmed
        case "unconfirmed": self = .unconfirmed
        case "provisional":
            guard let until = columns["provisionalUntil"]?.integer else { return nil }
            self = .provisional(until: Date(millisecondsSince1970: until))
        default: return nil
        }
    }

    fileprivate var columnText: String {
        switch self {
        case .provisional: "provisional"
        case .confirmed: "confirmed"
        case .unconfirmed: "unconfirmed"
        }
    }

    fileprivate var columnDate: SQLiteValue {
        if case .provisional(let until) = self { .integer(until.millisecondsSince1970) } else { .null }
    }
}

extension SQLiteValue {
    fileprivate static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}
