import Accounts
import ChatSealing

/// What a device believes of a person's devices, and what it knows of the conversation with them. The account's own person has one, too.
struct SealingContact: Sendable {
    let person: UserID
    /// Chains that were believed, the one in force last.
    var chains: [AccountChain] = []
    var generation: Int64 = 0
    var trouble: ChatControl.SealTrouble?
    var isVerified = false
    /// The hash of entry 0 that a link named.
    var pin: [UInt8]?
    var allowsClear = false
    var hasSealed = false
    /// The first place with a sealed message that is known.
    var sealedFrom: Int64?
    var sent: Int64 = 0
    var history = SealedHistory()

    var chain: AccountChain? { chains.last }

    /// Puts a chain that began anew, or another one, in place of the one in force. The one before stays, for messages of its time.
    mutating func replaceChain(with chain: AccountChain) {
        if !chains.isEmpty { generation += 1 }
        chains.append(chain)
        history.beginAnew()
        (trouble, isVerified, pin) = (nil, false, nil)
    }

    /// Puts a longer copy of the chain in force in its place.
    mutating func growChain(to chain: AccountChain) {
        if !chains.isEmpty { chains.removeLast() }
        chains.append(chain)
        if trouble == .restarted || trouble == .forked { trouble = nil }
    }
}
