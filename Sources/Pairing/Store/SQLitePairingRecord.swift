import Foundation
public import GRDB
import Kernel
import Rights
import Sealing
package import Storage

/// A record that knows its table and its columns.
package protocol SQLitePairingRecord: PairingRecord, FetchableRecord, PersistableRecord
where ID: DatabaseValueConvertible {
    /// The migrations of the record's table, in order.
    static var migrations: [Migration] { get }
}

extension SQLitePairingRecord {
    /// The SQL that adds `notification.all` to records that have `notification`: the two were one right before, and records keep
    /// what they had.
    fileprivate static func formerNotification(_ column: String) -> String {
        """
        UPDATE \(databaseTableName) SET \(column) = json_insert(\(column), '$[#]', 'notification.all')
        WHERE json_valid(\(column)) AND json_type(\(column)) = 'array'
            AND EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = 'notification')
            AND NOT EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = 'notification.all')
        """
    }
}

extension PairedDesktop: SQLitePairingRecord {
    public static var databaseTableName: String { "pairedDesktop" }

    /// The migrations of the table `pairedDesktop`.
    package static var migrations: [Migration] {
        [
            Migration(
                "pairing-pairedDesktop-1",
                sql: """
                    CREATE TABLE pairedDesktop (
                        pcPeerId TEXT PRIMARY KEY NOT NULL, deviceName TEXT NOT NULL, platform TEXT NOT NULL,
                        lanSignalingUrl TEXT, relayUrl TEXT, iceServersJson TEXT, iceExpiry INTEGER NOT NULL,
                        pairedAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
                        did TEXT, agreementKey BLOB, state TEXT NOT NULL, provisionalUntil INTEGER
                    ) STRICT
                    """
            ),
            // Computers that were paired without sealing before this column get no rights until the person gives some.
            Migration(
                "pairing-pairedDesktop-2",
                sql: "ALTER TABLE pairedDesktop ADD COLUMN clearRightsJson TEXT NOT NULL DEFAULT '[]'"
            ),
            // The rights that the computer says it allows; unknown until it says so.
            Migration("pairing-pairedDesktop-3", sql: "ALTER TABLE pairedDesktop ADD COLUMN allowedJson TEXT"),
            Migration("pairing-pairedDesktop-4", sql: formerNotification("clearRightsJson")),
            // The name that the computer said last; where it is not known, the name in the record may be the person's own and stays.
            Migration("pairing-pairedDesktop-5", sql: "ALTER TABLE pairedDesktop ADD COLUMN toldName TEXT"),
        ]
    }

    /// - Throws: `StorageError.damaged`, or SQLite's error, for a damaged row.
    public init(row: Row) throws {
        let pcPeerID: String = try row.decode(forColumn: "pcPeerId")
        guard !pcPeerID.isEmpty else { throw StorageError.damaged }
        self.init(
            pcPeerID: pcPeerID,
            deviceName: try row.decode(forColumn: "deviceName"),
            platform: PairingPlatform(rawValue: try row.decode(forColumn: "platform")),
            lanSignalingURL: try row.url("lanSignalingUrl"),
            relayURL: try row.url("relayUrl"),
            iceServersJSON: try row.decode(forColumn: "iceServersJson"),
            iceExpirySeconds: try row.decode(forColumn: "iceExpiry"),
            pairedAt: try row.date("pairedAt"),
            lastSeenAt: try row.date("lastSeenAt"),
            did: try row.decode(forColumn: "did"),
            agreementKey: try row.decode(forColumn: "agreementKey"),
            state: try PairingState(row: row),
            clearRights: Right.stored(try row.texts("clearRightsJson") ?? []),
            allowed: try row.decode(String?.self, forColumn: "allowedJson")
                .flatMap { try? JSONValue(parsing: $0.utf8) }.flatMap { AllowedRights(payload: $0) },
            toldName: try row.decode(forColumn: "toldName")
        )
    }

    public func encode(to container: inout PersistenceContainer) {
        container["pcPeerId"] = pcPeerID
        container["deviceName"] = deviceName
        container["platform"] = platform.rawValue
        container["lanSignalingUrl"] = lanSignalingURL?.absoluteString
        container["relayUrl"] = relayURL?.absoluteString
        container["iceServersJson"] = iceServersJSON
        container["iceExpiry"] = iceExpirySeconds
        container["pairedAt"] = pairedAt.millisecondsSince1970
        container["lastSeenAt"] = lastSeenAt.millisecondsSince1970
        container["did"] = did
        container["agreementKey"] = agreementKey
        state.encode(to: &container)
        container["clearRightsJson"] = JSONValue.text(of: clearRights.map(\.rawValue).sorted())
        container["allowedJson"] = allowed?.payload.canonicalText
        container["toldName"] = toldName
    }
}

extension PairedPhone: SQLitePairingRecord {
    public static var databaseTableName: String { "pairedPhone" }

    /// The migrations of the table `pairedPhone`.
    package static var migrations: [Migration] {
        [
            Migration(
                "pairing-pairedPhone-1",
                sql: """
                    CREATE TABLE pairedPhone (
                        did TEXT PRIMARY KEY NOT NULL, deviceId TEXT NOT NULL, name TEXT NOT NULL, platform TEXT NOT NULL,
                        addressesJson TEXT NOT NULL, agreementKey BLOB, pairedAt INTEGER NOT NULL,
                        lastSeenAt INTEGER NOT NULL, allowedSkillsJson TEXT NOT NULL, state TEXT NOT NULL,
                        provisionalUntil INTEGER
                    ) STRICT
                    """
            ),
            Migration(
                "pairing-pairedPhone-2",
                sql: "ALTER TABLE pairedPhone ADD COLUMN unsignedRightsJson TEXT NOT NULL DEFAULT '[]'"
            ),
            // Phones that were paired before are told their rights when the computer starts.
            Migration("pairing-pairedPhone-3", sql: "ALTER TABLE pairedPhone ADD COLUMN toldRightsJson TEXT"),
            Migration("pairing-pairedPhone-4", sql: formerNotification("allowedSkillsJson")),
            // As for computers.
            Migration("pairing-pairedPhone-5", sql: "ALTER TABLE pairedPhone ADD COLUMN toldName TEXT"),
            Migration(
                "pairing-pairedPhone-6",
                sql: """
                    ALTER TABLE pairedPhone ADD COLUMN termsJson TEXT NOT NULL DEFAULT '{}';
                    ALTER TABLE pairedPhone ADD COLUMN toldMoreJson TEXT
                    """
            ),
        ]
    }

    /// - Throws: `StorageError.damaged`, or SQLite's error, for a damaged row.
    public init(row: Row) throws {
        // A phone's rights are never guessed: a damaged list is a damaged record.
        guard let skills = try row.texts("allowedSkillsJson") else { throw StorageError.damaged }
        self.init(
            did: try row.decode(forColumn: "did"),
            deviceID: try row.decode(forColumn: "deviceId"),
            name: try row.decode(forColumn: "name"),
            platform: PairingPlatform(rawValue: try row.decode(forColumn: "platform")),
            addresses: (try row.texts("addressesJson") ?? []).compactMap { URL(string: $0) },
            agreementKey: try row.decode(forColumn: "agreementKey"),
            pairedAt: try row.date("pairedAt"),
            lastSeenAt: try row.date("lastSeenAt"),
            allowedSkills: Right.stored(skills),
            unsignedRights: Right.stored(try row.texts("unsignedRightsJson") ?? []),
            terms: try row.terms("termsJson"),
            toldRights: try row.texts("toldRightsJson").map { Right.stored($0) },
            toldMore: try row.decode(String?.self, forColumn: "toldMoreJson"),
            state: try PairingState(row: row),
            toldName: try row.decode(forColumn: "toldName")
        )
    }

    public func encode(to container: inout PersistenceContainer) {
        container["did"] = did
        container["toldName"] = toldName
        container["deviceId"] = deviceID
        container["name"] = name
        container["platform"] = platform.rawValue
        container["addressesJson"] = JSONValue.text(of: addresses.map(\.absoluteString))
        container["agreementKey"] = agreementKey
        container["pairedAt"] = pairedAt.millisecondsSince1970
        container["lastSeenAt"] = lastSeenAt.millisecondsSince1970
        container["allowedSkillsJson"] = JSONValue.text(of: allowedSkills.map(\.rawValue).sorted())
        state.encode(to: &container)
        container["unsignedRightsJson"] = JSONValue.text(of: unsignedRights.map(\.rawValue).sorted())
        container["toldRightsJson"] = toldRights.map { JSONValue.text(of: $0.map(\.rawValue).sorted()) }
        container["termsJson"] = JSONValue.object(terms.mapNames(\.json)).canonicalText
        container["toldMoreJson"] = toldMore
    }
}

extension JSONValue {
    fileprivate static func text(of texts: [String]) -> String { array(texts.map { .string($0) }).canonicalText }
}

extension Row {
    fileprivate func date(_ column: String) throws -> Date {
        Date(millisecondsSince1970: try decode(forColumn: column))
    }

    fileprivate func url(_ column: String) throws -> URL? {
        try decode(String?.self, forColumn: column).flatMap { URL(string: $0) }
    }

    /// - Throws: `StorageError.damaged` for anything but rights with their ends: none is taken for one that does not end.
    fileprivate func terms(_ column: String) throws -> [Right: RightTerm] {
        guard let json = try? JSONValue(parsing: try decode(String.self, forColumn: column).utf8),
            let members = json.objectValue
        else { throw StorageError.damaged }
        return try members.reduce(into: [:]) { terms, member in
            guard let term = RightTerm(member.value) else { throw StorageError.damaged }
            terms[Right(rawValue: member.key)] = term
        }
    }

    /// The column's list of texts; nil when it holds none.
    fileprivate func texts(_ column: String) throws -> [String]? {
        guard let json = try decode(String?.self, forColumn: column) else { return nil }
        guard let values = try? JSONValue(parsing: json.utf8).arrayValue else { return nil }
        let texts = values.compactMap(\.stringValue)
        return texts.count == values.count ? texts : nil
    }
}

extension PairingState {
    fileprivate init(row: Row) throws {
        switch try row.decode(String.self, forColumn: "state") {
        case "confirmed": self = .confirmed
        case "unconfirmed": self = .unconfirmed
        case "provisional": self = .provisional(until: try row.date("provisionalUntil"))
        default: throw StorageError.damaged
        }
    }

    fileprivate func encode(to container: inout PersistenceContainer) {
        container["provisionalUntil"] = nil
        switch self {
        case .confirmed: container["state"] = "confirmed"
        case .unconfirmed: container["state"] = "unconfirmed"
        case .provisional(let until):
            container["state"] = "provisional"
            container["provisionalUntil"] = until.millisecondsSince1970
        }
    }
}
