import Foundation
public import GRDB
public import Sealing

extension DID: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { text.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> DID? {
        String.fromDatabaseValue(value).flatMap { try? DID($0) }  // nil: something damaged it
    }
}

extension AgreementPublicKey: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> AgreementPublicKey? {
        Data.fromDatabaseValue(value).flatMap { try? AgreementPublicKey(Array($0)) }  // nil: something damaged it
    }
}
