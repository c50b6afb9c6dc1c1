import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing

/// A history that this device hands to another one of its account: how far it came.
struct OfferingRecord: Hashable, Sendable {
    /// The numbers are on disk.
    enum Stage: Int, Sendable {
        /// Pages are being made and uploaded.
        case making = 0
        /// The hub has the offer: the other device takes it, or will.
        case offered = 1
        /// The hub has let go of it: it was taken.
        case taken = 2
        /// Nobody took it within its seven days.
        case lapsed = 3
    }

    /// Milliseconds within which an offer has to be finished: the hub keeps what nothing names for 24 hours.
    static let patience: Int64 = 20 * 3_600_000

    let device: DID
    /// The id of the offer.
    let offer: [UInt8]
    /// When it began, and once it is offered when that was, in milliseconds since 1970.
    var began: Int64
    /// Messages that are to be handed over, as counted at the beginning.
    var messages: Int
    /// The message that came last into a page; nil before the first.
    var place: Place?
    var stage: Stage

    /// A message in the order of pages: the newest first.
    struct Place: Hashable, Sendable {
        /// When the hub took it, in milliseconds since 1970.
        var time: Int64
        var row: Int64
    }

    init(to device: DID, _ offer: [UInt8], messages: Int, at now: Int64) {
        self.device = device
        self.offer = offer
        began = now
        self.messages = messages
        stage = .making
    }

    /// Nil for a row that something damaged.
    init?(_ row: Row) {
        guard let device = try? DID(row["device"] as String), let stage = Stage(rawValue: row["stage"]) else {
            return nil
        }
        self.device = device
        offer = Array(row["offer"] as Data)
        began = row["began"]
        messages = row["messages"]
        if let time = row["time"] as Int64?, let message = row["message"] as Int64? {
            place = Place(time: time, row: message)
        }
        self.stage = stage
    }
}
