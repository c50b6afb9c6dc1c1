public import Foundation

/// What changes on a computer's pairing screen, each thing once: for a terminal and for a program that reads along line by line.
public struct PairingNews: Sendable {
    /// One thing to tell.
    public enum Item: Hashable, Sendable {
        /// A code to show in place of the one before.
        case code(ShownPairingCode)
        /// A wrong code was typed, so other digits took the place of those shown; the QR code is the same.
        case digitsReplaced(ShownPairingCode)
        /// Too many wrong codes were typed; scanning still works.
        case digitsLocked(ShownPairingCode, until: Date)
        /// There are digits to type again.
        case digitsUnlocked(ShownPairingCode)
        /// No server leads phones here by the digits; scanning still works.
        case digitsUnreachable(ShownPairingCode, TypedCodeTrouble)
        /// The digits work again.
        case digitsReachable(ShownPairingCode)
        /// A sender goes on with wrong codes, and is not listened to any more.
        case interference
        /// A program was refused without a question to the person.
        case refused(PairingRefusal)
        case request(PairingRequest)
        /// It was refused, or its time was over.
        case requestOver(PairingRequest)
        /// The phone took it back, also after a yes that it had not heard of.
        case requestWithdrawn(PairingRequest)
        case paired(PairedPhone)
        /// A device used the code, and is not paired.
        case usedUp
        case expired
        /// The person took the code from the screen.
        case withdrawn
    }

    private var last: PairingHostStatus

    /// - Parameter status: What is known already.
    public init(since status: PairingHostStatus) { last = status }

    /// What `status` brings.
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
        // Of other digits, which may be those of another code, nothing was said.
        guard case .shown(let before) = last.code, before.typed == shown.typed else { return [] }
        return [.digitsReachable(shown)]
    }

    /// Whether the code is used and no phone waits for an answer.
    private static func isUsedUp(_ status: PairingHostStatus) -> Bool {
        status.code == .used && status.requests.isEmpty && !status.isSettling
    }
}
