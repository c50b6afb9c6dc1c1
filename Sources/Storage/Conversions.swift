import Foundation
public import GRDB
public import Sealing

extension DID: DatabaseValueConvertible {
    /// The DID's text.
    public var databaseValue: DatabaseValue { text.databaseValue }

    /// Nil for a value that is no DID: a row that something damaged.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> DID? {
        String.fromDatabaseValue(value).flatMap { try? DID($0) }  // nil: something damaged it
    }
}

extension AgreementPublicKey: DatabaseValueConvertible {
    /// The key's 32 bytes.
    public var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    /// Nil for anything but the bytes of a key: a row that something damaged.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> AgreementPublicKey? {
        Data.fromDatabaseValue(value).flatMap { try? AgreementPublicKey(Array($0)) }  // nil: something damaged it
    }
}
