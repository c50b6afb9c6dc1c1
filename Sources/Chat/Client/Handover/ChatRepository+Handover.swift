import Chat
import ChatSealing
import Sealing

/// The store's part of handing history over.
extension ChatRepository {
    func countForHandover() async throws -> Int { try await stored.read { try $0.countForHandover() } }

    func messagesForHandover(
        behind place: OfferingRecord.Place?
    ) async throws -> [(message: MessageRecord, place: OfferingRecord.Place)] {
        try await stored.read { try $0.messagesForHandover(behind: place, limit: HandoverPage.messageLimit) }
    }

    func offerings() async throws -> [OfferingRecord] { try await stored.read { try $0.offerings() } }

    func offeredPages(to device: DID) async throws -> [HandoverIndex.Page] {
        try await stored.read { try $0.offeredPages(to: device) }
    }

    func begin(_ offering: OfferingRecord) async throws { try await stored.write { try $0.begin(offering) } }

    func save(_ offering: OfferingRecord) async throws { try await stored.write { try $0.save(offering) } }

    func note(_ page: HandoverIndex.Page, number: Int, of offering: OfferingRecord) async throws {
        try await stored.write { try $0.note(page, number: number, of: offering) }
    }

    func end(offeringTo device: DID) async throws {
        try await stored.write { try $0.end(offeringTo: device) }
        poke()
    }

    func taking(_ offer: [UInt8]) async throws -> TakingRecord? { try await stored.read { try $0.taking(offer) } }

    func newestTaking() async throws -> TakingRecord? { try await stored.read { try $0.newestTaking() } }

    /// Begins with an offer, or goes on with it.
    func begin(taking offer: [UInt8], _ index: HandoverIndex) async throws -> TakingRecord? {
        let now = now
        return try await stored.write { transaction in
            try transaction.removeTakings(before: now - 2 * HandoverOffer.lifetime)
            try transaction.begin(taking: offer, index, at: now)
            return try transaction.reading.taking(offer)
        }
    }

    func end(taking offer: [UInt8]) async throws { try await stored.write { try $0.end(taking: offer) } }

    /// Takes a page; one that was taken before changes nothing. Followers are told of the messages that it fills in.
    func take(_ page: HandoverPage, number: Int, of offer: [UInt8]) async throws {
        _ = try await stored.write { [early] in try $0.take(page, number: number, of: offer, early: early) }
        poke()
    }
}
