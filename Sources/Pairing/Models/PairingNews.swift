public import Foundation

/// The changes on a computer's pairing screen, each reported once, for a terminal or a program that reads line by line.
public struct PairingNews: Sendable {
    /// One change.
    public enum Item: Hashable, Sendable {
        /// A code to show in place of the one before.
        case code(ShownPairingCode)
        /// A wrong code was typed, so other digits took the place of those shown; the QR code is the same.
        case digitsReplaced(ShownPairingCode)
        /// Too many wrong codes were typed; scanning still works.
        case digitsLocked(ShownPairingCode, until: Date)
        /// The lock is over, and there are digits to type again.
        case digitsUnlocked(ShownPairingCode)
        /// No server leads phones here by the digits; scanning still works.
        case digitsUnreachable(ShownPairingCode, TypedCodeTrouble)
        /// The digits work again.
        case digitsReachable(ShownPairingCode)
        /// A sender that goes on with wrong codes is ignored from now on.
        case interference
        /// A program was refused without asking the person.
        case refused(PairingRefusal)
        case request(PairingRequest)
        /// The request was refused, or its time was over.
        case requestOver(PairingRequest)
        /// The phone took its request back, perhaps after a yes that it had not heard of.
        case requestWithdrawn(PairingRequest)
        case paired(PairedPhone)
        /// The code was used by a device that was not paired.
        case usedUp
        case expired
        /// The person took the code from the screen.
        case withdrawn
    }

    private var last: PairingHostStatus

    /// - Parameter status: The state that was reported already.
    public init(since status: PairingHostStatus) { last = status }

    /// The changes from the last status to `status`.
    public mutating func items(for status: PairingHostStatus) -> [Item] {
        defer { last = status }
        var items = codeItems(status)
        if items.isEmpty, status.isSuspicious, !last.isSuspicious { items.append(.interference) }
        items += reachItems(status)
        items += status.refusals.filter { !last.refusals.contains($0) }.map(Item.refused)
        let isNewlyPaired = status.lastPaired != nil && status.lastPaired != last.lastPaired
        for over in last.requests where !status.requests.contains(over) && !status.withdrawn.contains(over) {
            if status.isSettling || (isNewlyPaired && status.lastPaired?.did == over.did) { continue }
            items.append(.requestOver(over))
        }
        items += status.withdrawn.filter { !last.withdrawn.contains($0) }.map(Item.requestWithdrawn)
        if isNewlyPaired, let phone = status.lastPaired { items.append(.paired(phone)) }
        for request in status.requests where !last.requests.contains(request) { items.append(.request(request)) }
        if Self.isUsedUp(status), !Self.isUsedUp(last), !isNewlyPaired { items.append(.usedUp) }
        return items
    }

    private func codeItems(_ status: PairingHostStatus) -> [Item] {
        guard case .shown(let shown) = status.code else {
            if status.code == .expired, last.code != .expired { return [.expired] }
            if status.code == .none, case .shown = last.code { return [.withdrawn] }
            return []
        }
        let lock = status.typedCodesLockedUntil.map { [Item.digitsLocked(shown, until: $0)] } ?? []
        guard case .shown(let before) = last.code, before.qr == shown.qr else { return [.code(shown)] + lock }
        guard before.typed != shown.typed else { return [] }
        guard shown.typed != nil else { return lock }
        return [before.typed == nil ? .digitsUnlocked(shown) : .digitsReplaced(shown)]
    }

    private func reachItems(_ status: PairingHostStatus) -> [Item] {
        guard case .shown(let shown) = status.code, status.typedTrouble != last.typedTrouble else { return [] }
        if let trouble = status.typedTrouble { return [.digitsUnreachable(shown, trouble)] }
        // Other digits may be those of another code, about which nothing was reported.
        guard case .shown(let before) = last.code, before.typed == shown.typed else { return [] }
        return [.digitsReachable(shown)]
    }

    /// Whether the code is used and no phone waits for an answer.
    private static func isUsedUp(_ status: PairingHostStatus) -> Bool {
        status.code == .used && status.requests.isEmpty && !status.isSettling
    }
}
