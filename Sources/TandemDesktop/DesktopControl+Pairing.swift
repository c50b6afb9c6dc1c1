import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing

/// Pairing's commands.
extension DesktopControl {
    /// Shows a code and reports everything that becomes of it, until a device is paired or the code is over: with `stay` for
    /// as long as the caller listens, with `renew` and a new code each time.
    func watch(
        _ code: ShowCode,
        report: @escaping @Sendable (PairingEvent) async throws -> Void
    ) async throws -> NoControlAnswer {
        // Before the code is made, so that nothing is missed of what becomes of it.
        var known = await desktop.pairing.status()
        let statuses: AsyncStream<PairingHostStatus>
        if code.keep == true {
            try await desktop.pairing.showCode(options: code.codeOptions)
            // This caller was told nothing of the code: it is its first news, with how its digits stand.
            known.code = .none
            known.typedTrouble = nil
            statuses = desktop.pairing.statuses()
        } else {
            statuses = desktop.pairing.statuses()
            try await desktop.pairing.makeCode(options: code.codeOptions)
        }
        var news = PairingNews(since: known)
        for await status in statuses {
            var (isOver, isHidden) = (false, false)
            for item in news.items(for: status) {
                try await report(await describe(item))
                switch item {
                case .paired, .usedUp, .expired: isOver = true
                case .withdrawn: isHidden = true
                default: break
                }
            }
            // The person wants none: another follows only when it is asked for.
            if isHidden, code.stay != true { break }
            guard isOver else { continue }
            guard code.stay == true else { break }
            guard code.renew == true else { continue }
            // Another command may show one already. A code that no person asked for has no digits: there is nothing to guess.
            if case .shown = await desktop.pairing.status().code { continue }
            var scanned = code.codeOptions
            scanned.digits = .none
            try await desktop.pairing.makeCode(options: scanned)
        }
        return NoControlAnswer()
    }

    /// Makes a code, and says how its digits stand.
    func show(_ code: ShowCode) async throws -> CodeEntry {
        let shown = try await desktop.pairing.makeCode(options: code.codeOptions)
        let status = await desktop.pairing.status()
        return CodeEntry(shown, trouble: status.code == .shown(shown) ? status.typedTrouble : nil)
    }

    private func describe(_ item: PairingNews.Item) async -> PairingEvent {
        switch item {
        case .code(let shown): .code(CodeEntry(shown))
        case .digitsReplaced(let shown): .digitsReplaced(CodeEntry(shown))
        case .digitsLocked(let shown, let until):
            .digitsLocked(CodeEntry(shown), until: until.millisecondsSince1970)
        case .digitsUnlocked(let shown): .digitsUnlocked(CodeEntry(shown))
        case .digitsUnreachable(let shown, let trouble): .digitsUnreachable(CodeEntry(shown, trouble: trouble))
        case .digitsReachable(let shown): .digitsReachable(CodeEntry(shown))
        case .interference: .interference
        case .refused(let refusal): .refused(RefusalEntry(refusal))
        case .request(let request): .request(RequestEntry(request, offers: rights))
        case .requestOver(let request): .requestOver(RequestEntry(request, offers: rights))
        case .requestWithdrawn(let request): .requestWithdrawn(RequestEntry(request, offers: rights))
        case .paired(let phone): .paired(await describe(phone))
        case .usedUp: .usedUp
        case .expired: .expired
        case .withdrawn: .hidden
        }
    }

    func scan(
        _ code: ScannedCode,
        report: @escaping @Sendable (PairingEvent) async throws -> Void
    ) async throws -> DeviceEntry {
        let qr = try desktop.pairing.read(code.text)
        var options = code.options
        options.allowing = try allowed(code.allow)
        let sentence =
            "Asking \(qr.deviceInfo.name), whose key is \(qr.did.fingerprint): it must show the same. Its answer takes a "
            + "moment, at most a minute."
        try await report(.step(PairingStep("sending", sentence, key: qr.did.fingerprint)))
        if let doubt = qr.ageDoubt { try await report(.step(PairingStep(clocks: doubt))) }
        return await describe(try await desktop.phones.scan(qr, options: options))
    }

    func accept(_ acceptance: Acceptance) async throws -> DeviceEntry {
        let comparison = acceptance.number.map(PairingComparison.typed)
        let rights = try allowed(acceptance.allow)
            .union(try acceptance.preset.map { self.rights.rights(of: try RightPreset(typed: $0)) } ?? [])
        let asked = try await request(acceptance.id)
        return await describe(try await desktop.phones.accept(asked.id, comparison: comparison, allowing: rights))
    }

    /// The rights that the person gives together with their yes.
    private func allowed(_ names: [String]?) throws -> Set<Right> { try names.map { try rights.list($0) } ?? [] }

    func reject(_ choice: RequestChoice) async throws -> EndedRequest {
        let asked = try await request(choice.id)
        try await desktop.pairing.reject(asked.id)
        return EndedRequest(asked)
    }

    /// The request that is meant; without an id the only one.
    ///
    /// - Throws: ``DesktopError``, `PairingError.unknownRequest`.
    private func request(_ id: String?) async throws -> PairingRequest {
        let requests = await desktop.pairing.requests()
        if let id {
            guard let asked = requests.first(where: { $0.id == id }) else { throw PairingError.unknownRequest }
            return asked
        }
        guard let first = requests.first else { throw DesktopError.nobodyAsks }
        guard requests.count == 1 else { throw DesktopError.severalAsk(requests.map(\.id)) }
        return first
    }
}

extension ShowCode {
    var codeOptions: PairingOptions {
        // The person's answer about a known device's new key goes with their yes to its request.
        let typed: TypedDigits = digits == false ? .none : sixDigits == true ? .six : .ten
        return PairingOptions(allowsDocumentedPeers: allowUnsealed == true, digits: typed)
    }
}
