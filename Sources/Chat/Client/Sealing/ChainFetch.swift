import Accounts
import Chat
import ChatSealing
import Kernel

/// What a hub offers as a person's chain, against what is believed of it.
enum ChainOffer: Sendable {
    /// The hub has none.
    case none
    /// One that holds together, or the believed one with what came to it.
    case chain(AccountChain)
    /// Entries are missing that were there before.
    ///
    /// - Parameter newest: The number of the newest that is there.
    case behind(newest: Int)
    /// Entries that no device of the person signed.
    case broken
}

/// Asks the hub for a person's chain, in parts.
struct ChainFetch {
    private let server: any ChatServer

    init(_ server: any ChatServer) { self.server = server }

    /// - Throws: `ChatError` where the hub is not reached, or does not go on.
    func offer(of person: UserID, known: AccountChain?) async throws -> ChainOffer {
        guard let part = try await part(of: person, after: known?.newest.number ?? -1) else { return .none }
        guard let known, part.start == known.start.hash else { return try await whole(of: person) }
        guard part.newest >= known.newest.number else { return .behind(newest: Int(part.newest)) }
        return try await grown(known, part)
    }

    /// The chain from its beginning.
    func whole(of person: UserID) async throws -> ChainOffer {
        guard let part = try await part(of: person, after: -1) else { return .none }
        guard let first = part.entries.first.flatMap({ try? ChainEntry($0) }), first.user == person,
            first.hash == part.start, let start = try? AccountChain(start: first)
        else { return .broken }
        var rest = part
        rest.entries.removeFirst()
        return try await grown(start, rest)
    }

    private func grown(_ known: AccountChain, _ part: Chains.Part) async throws -> ChainOffer {
        var (chain, part) = (known, part)
        while true {
            for json in part.entries {
                guard let entry = try? ChainEntry(json), (try? chain.append(entry)) != nil else { return .broken }
            }
            guard chain.newest.number < part.newest else { return .chain(chain) }
            guard let next = try await self.part(of: known.user, after: chain.newest.number),
                next.start == chain.start.hash, !next.entries.isEmpty
            else { throw ChatError.wrongAnswer }
            part = next
        }
    }

    private func part(of person: UserID, after number: Int) async throws -> Chains.Part? {
        let request = ChainsRequest([ChainsRequest.Place(person, after: Int64(number))])
        do {
            let answer = try await server.ask(ChatEndpoints.chains, request)
            return answer.parts.first { $0.person == person }
        } catch {
            // A hub of an earlier version keeps no lists: as one where the person has none.
            guard error == .noChat else { throw error }
            return nil
        }
    }
}

extension SealingContact {
    /// Believes what holds, and notes what does not. A chain that began anew or is another one waits until the person agrees to it.
    mutating func take(_ offer: ChainOffer) {
        switch offer {
        case .none: break
        case .behind, .broken: trouble = .forked
        case .chain(let offered):
            guard let chain else {
                // A link said which one it has to be.
                guard pin.map({ $0 == offered.start.hash }) ?? true else { return trouble = .forked }
                return growChain(to: offered)
            }
            switch chain.news(in: offered) {
            case .same, .grown: growChain(to: offered)
            case .restarted: trouble = .restarted
            case .forked, .behind: trouble = .forked
            }
        }
    }
}
