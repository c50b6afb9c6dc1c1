import Foundation
import GRDB

/// A history that this device takes from another one of its account: how far it came.
struct TakingRecord: Hashable, Sendable {
    /// The id of the offer.
    let offer: [UInt8]
    /// The number of the next page.
    let next: Int
    let pages: Int
    /// Messages of the pages that were taken.
    let taken: Int
    let messages: Int
    /// Older messages had no room in it.
    let isCut: Bool
    /// When it began, in milliseconds since 1970.
    let began: Int64

    init(_ row: Row) {
        offer = Array(row["offer"] as Data)
        next = row["next"]
        pages = row["pages"]
        taken = row["taken"]
        messages = row["messages"]
        isCut = row["isCut"]
        began = row["began"]
    }

    var isDone: Bool { next >= pages }
}
