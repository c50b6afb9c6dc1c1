import Chat
import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

/// How far this device came with handing over and with taking.
extension ChatTransaction {
    // MARK: Handing over

    /// Begins an offer to a device, in place of one that was made before.
    func begin(_ offering: OfferingRecord) throws {
        try end(offeringTo: offering.device)
        try save(offering)
    }

    func save(_ offering: OfferingRecord) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO messenger_offering (account, device, offer, began, messages, time, message, stage)
            VALUES (\(account), \(offering.device.text), \(Data(offering.offer)), \(offering.began), \(offering.messages),
                \(offering.place?.time), \(offering.place?.row), \(offering.stage.rawValue))
            """
        )
        // The hub has what opens them, sealed for the other device.
        if offering.stage != .making { try forgetPages(of: offering.device) }
    }

    /// Notes a page that the hub has, and where the next one begins.
    func note(_ page: HandoverIndex.Page, number: Int, of offering: OfferingRecord) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO messenger_offering_part (account, device, number, page)
            VALUES (\(account), \(offering.device.text), \(number), \(page.json.canonicalText))
            """
        )
        try save(offering)
    }

    func end(offeringTo device: DID) throws {
        try forgetPages(of: device)
        try database.run(
            "DELETE FROM messenger_offering WHERE account = \(account) AND device = \(device.text)"
        )
    }

    private func forgetPages(of device: DID) throws {
        try database.run(
            "DELETE FROM messenger_offering_part WHERE account = \(account) AND device = \(device.text)"
        )
        if database.changesCount > 0 { try noteRemains(ChatStore.Remains.log) }
    }

    // MARK: Taking

    /// Begins with an offer; one that was begun goes on.
    func begin(taking offer: [UInt8], _ index: HandoverIndex, at now: Int64) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO messenger_taking (account, offer, pages, messages, isCut, began)
            VALUES (\(account), \(Data(offer)), \(index.pages.count), \(index.messages), \(index.isCut), \(now))
            """
        )
    }

    /// Takes a page and notes its number.
    ///
    /// - Returns: False where it was taken before.
    func take(_ page: HandoverPage, number: Int, of offer: [UInt8], early: EarlyBook) throws -> Bool {
        guard let taking = try reading.taking(offer), taking.next == number else { return false }
        try take(page, early: early)
        try database.run(
            """
            UPDATE messenger_taking SET next = next + 1, taken = taken + \(page.messages.count)
            WHERE account = \(account) AND offer = \(Data(offer))
            """
        )
        return true
    }

    func end(taking offer: [UInt8]) throws {
        try database.run("DELETE FROM messenger_taking WHERE account = \(account) AND offer = \(Data(offer))")
    }

    /// Removes what was said of offers that a hub cannot have any more.
    func removeTakings(before time: Int64) throws {
        try database.run("DELETE FROM messenger_taking WHERE account = \(account) AND began < \(time)")
    }
}
