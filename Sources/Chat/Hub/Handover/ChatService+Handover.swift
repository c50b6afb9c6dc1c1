import Accounts
import ChatSealing
package import Kernel

extension ChatService {
    /// Keeps an offer of one of the asker's devices to another.
    ///
    /// - Throws: ``ChatHubError/notSigned``, ``ChatHubError/notYours``, ``ChatHubError/malformed(_:)`` for one of another time,
    ///   ``ChatHubError/unlistedDevice``, ``ChatHubError/unknownObject``, ``ChatHubError/limitReached(_:)``,
    ///   ``ChatHubError/tooFast(milliseconds:)``.
    package func offerHandover(_ json: JSONValue, objects: [String], by asker: ChatAsker) async throws {
        guard let offer = try? HandoverOffer(json) else { throw ChatHubError.notSigned }
        guard offer.user == asker.person else { throw ChatHubError.notYours }
        guard abs(offer.made - now) <= ChatKeyLife.skew else { throw ChatHubError.malformed("at") }
        guard objects.contains(offer.index.object) else { throw ChatHubError.malformed("objects") }
        if let wait = lists.take(asker.person, ticks: dependencies.time.ticks) {
            throw ChatHubError.tooFast(milliseconds: wait)
        }
        try await log.offer(offer, objects: objects, of: asker.person, origin: asker.device, at: now)
    }

    package func handovers(of asker: ChatAsker) async throws -> [JSONValue] {
        try await log.handovers(of: asker.person, at: now)
    }

    package func endHandover(_ id: [UInt8], by asker: ChatAsker) async throws {
        try await log.endHandover(id, of: asker.person, origin: asker.device)
    }
}
