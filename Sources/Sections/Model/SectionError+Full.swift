import Foundation
import GRDB

extension SectionError {
    /// Runs what writes a section, and names the section where there is no room for it.
    ///
    /// - Throws: ``full(section:)``, and every other error of `body` as it is.
    static func naming<Value>(_ section: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch  where isFull(error) {
            throw SectionError.full(section: section)
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError: error.resultCode == .SQLITE_FULL
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        case let error as POSIXError: [.ENOSPC, .EDQUOT].contains(error.code)
        default: false
        }
    }
}
