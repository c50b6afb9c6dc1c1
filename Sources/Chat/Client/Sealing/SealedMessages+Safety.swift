public import Accounts
public import Chat
import ChatSealing
import Sealing

extension SealedMessages: SafetyDesk {
    public func standing(of conversation: ConversationID) async -> SealStanding {
        guard let peer = conversation.peer(of: me), let own = try? await contact(me),
            let other = try? await contact(peer)
        else { return SealStanding() }
        var standing = SealStanding(isVerified: other.isVerified, trouble: own.trouble ?? other.trouble)
        guard let mine = own.chain, let theirs = other.chain else { return standing }
        let number = SafetyNumber(.init(mine), .init(theirs))
        standing.isSealed = mine.newest.has(identity.did) && !other.allowsClear
        (standing.number, standing.code) = (number.groups, number.code)
        return standing
    }

    /// The numbers of the newest lists: the hub is asked first, where it is there.
    public func safety(of conversation: ConversationID) async throws -> SealStanding {
        guard let peer = conversation.peer(of: me) else { throw ChatError.notYours }
        for person in [me, peer] {
            do { _ = try await current(person) } catch let error as ChatError where error.isTransport {
                // What was believed before is shown.
            }
        }
        return await standing(of: conversation)
    }

    public func verify(_ conversation: ConversationID, _ isVerified: Bool) async throws -> SealStanding {
        guard let peer = conversation.peer(of: me) else { throw ChatError.notYours }
        guard try await contact(peer).chain != nil, try await contact(me).chain != nil else {
            throw ChatError.nothingToAgree
        }
        try await change(peer) { $0.isVerified = isVerified }
        return await standing(of: conversation)
    }

    public func agree(_ conversation: ConversationID, to kind: ChatControl.Agreement.Kind) async throws -> SealStanding
    {
        guard let peer = conversation.peer(of: me) else { throw ChatError.notYours }
        let contact = try await contact(peer)
        switch kind {
        case .clear:
            guard contact.trouble == .clear else { throw ChatError.nothingToAgree }
            try await change(peer) { contact in
                contact.allowsClear = true
                contact.trouble = nil
            }
        case .newKeys:
            guard contact.trouble == .restarted || contact.trouble == .forked,
                case .chain(let chain) = try await ChainFetch(server).whole(of: peer)
            else { throw ChatError.nothingToAgree }
            forgetWhatWasTold(of: [peer])
            try await change(peer) { $0.replaceChain(with: chain) }
        }
        return await standing(of: conversation)
    }

    public func ownChain() async -> [UInt8]? { try? await contact(me).chain?.start.hash }

    public func met(_ person: UserID, chain: [UInt8]) async throws {
        let contact = try await contact(person)
        if let known = contact.chain {
            guard known.start.hash == chain else {
                try await change(person) { $0.trouble = .forked }
                throw ChatError.keysForked
            }
            return
        }
        try await change(person) { $0.pin = chain }
        _ = try await refreshed(person)
    }
}
