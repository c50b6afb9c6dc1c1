package import Accounts
import ChatSealing
package import Kernel

extension ChatService {
    /// Appends an entry to the asker's own chain.
    ///
    /// - Throws: ``ChatHubError/notSigned`` for one that no device of theirs can have signed, ``ChatHubError/notContinuation``,
    ///   ``ChatHubError/notYours``, ``ChatHubError/tooFast(milliseconds:)``.
    package func appendToChain(_ json: JSONValue, by asker: ChatAsker) async throws {
        guard let entry = try? ChainEntry(json) else { throw ChatHubError.notSigned }
        guard entry.user == asker.person else { throw ChatHubError.notYours }
        if let wait = lists.take(asker.person, ticks: dependencies.time.ticks) {
            throw ChatHubError.tooFast(milliseconds: wait)
        }
        try await log.append(entry, of: asker.person, origin: asker.device)
    }

    /// Publishes a chat key of one of the asker's own devices, or of one that waits to be added.
    ///
    /// - Throws: ``ChatHubError/notSigned``, ``ChatHubError/malformed(_:)`` for a key of another time, ``ChatHubError/unlistedDevice``,
    ///   ``ChatHubError/tooFast(milliseconds:)``.
    package func publishChatKey(_ json: JSONValue, by asker: ChatAsker) async throws {
        guard let bundle = try? KeyBundle(json) else { throw ChatHubError.notSigned }
        guard bundle.isInUse(at: now) else { throw ChatHubError.malformed("made") }
        if let wait = chatKeys.take(asker.person, ticks: dependencies.time.ticks) {
            throw ChatHubError.tooFast(milliseconds: wait)
        }
        try await log.publish(bundle, of: asker.person, origin: asker.device)
    }

    package func chains(of people: [(person: UserID, after: Int64)]) async throws -> [KeptChain] {
        try await log.chains(of: people)
    }

    package func chatKeys(of people: [UserID], for asker: ChatAsker) async throws -> [UserID: [JSONValue]] {
        try await log.bundles(of: people, for: asker.person)
    }
}
