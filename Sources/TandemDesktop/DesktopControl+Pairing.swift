import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing

/// Pairing's commands.
extension DesktopControl {
    func show(_ request: ControlRequest) async throws -> JSONValue {
        Self.describe(try await desktop.pairing.makeCode(options: Self.codeOptions(request)))
    }

    /// Shows a code and reports everything that becomes of it, until a device is paired or the code is over: with `stay` for
    /// as long as the caller listens, with `renew` and a new code each time.
    func watch(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let options = try Self.codeOptions(request)
        let (stays, renews) = (try request.flag("stay"), try request.flag("renew"))
        // Before the code is made, so that nothing is missed of what becomes of it.
        var news = PairingNews(since: await desktop.pairing.status())
        let statuses = desktop.pairing.statuses()
        try await desktop.pairing.makeCode(options: options)
        for await status in statuses {
            var isOver = false
            for item in news.items(for: status) {
                try await report(describe(item))
                switch item {
                case .paired, .usedUp, .expired: isOver = true
                default: break
                }
            }
            guard isOver else { continue }
            guard stays else { return .null }
            guard renews else { continue }
            // Another command may show one already. A code that no person asked for has no digits: there is nothing to guess.
            if case .shown = await desktop.pairing.status().code { continue }
            var scanned = options
            scanned.digits = .none
            try await desktop.pairing.makeCode(options: scanned)
        }
        return .null
    }

    private static func codeOptions(_ request: ControlRequest) throws -> PairingOptions {
        PairingOptions(
            allowsDocumentedPeers: try request.flag("allowUnsealed"),
            digits: try request.flag("sixDigits") ? .six : .ten
        )
    }

    private static func describe(_ shown: ShownPairingCode) -> JSONValue {
        [
            "payload": .string(shown.qrText), "code": .string(shown.typed?.digits ?? shown.qr.code.digits),
            "typed": .bool(shown.typed != nil), "expiresAt": .integer(shown.expiresAt.millisecondsSince1970),
        ]
    }

    private func describe(_ item: PairingNews.Item) -> JSONValue {
        switch item {
        case .code(let shown): Self.describe(shown).adding("event", "code")
        case .digitsReplaced(let shown): Self.describe(shown).adding("event", "digits-replaced")
        case .digitsLocked(let shown, let until):
            Self.describe(shown).adding("event", "digits-locked").adding("until", .integer(until.millisecondsSince1970))
        case .digitsUnlocked(let shown): Self.describe(shown).adding("event", "digits-unlocked")
        case .interference: ["event": "interference"]
        case .refused(let refusal): Self.describe(refusal).adding("event", "refused")
        case .request(let request): describe(request).adding("event", "request")
        case .requestOver(let request): describe(request).adding("event", "request-over")
        case .paired(let phone):
            [
                "event": "paired", "id": .string(phone.did.text), "name": .string(phone.name),
                "fingerprint": .string(phone.did.fingerprint),
            ]
        case .usedUp: ["event": "used-up"]
        case .expired: ["event": "expired"]
        }
    }

    func scan(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let qr = try desktop.pairing.read(request.text("text"))
        let options = PairingOptions(
            allowsDocumentedPeers: try request.flag("allowUnsealed"),
            acceptsNewIdentity: try request.flag("acceptNewIdentity"),
            allowing: try allowed(request)
        )
        try await report([
            "event": "sending", "key": .string(qr.did.fingerprint),
            "message": .string(
                "Asking \(qr.deviceInfo.name), whose key is \(qr.did.fingerprint): it must show the same. Its answer takes a "
                    + "moment, at most a minute."
            ),
        ])
        return await describe(try await desktop.phones.scan(qr, options: options))
    }

    func accept(_ request: ControlRequest) async throws -> JSONValue {
        let comparison = try request.optionalText("number").map(PairingComparison.typed)
        let rights = try allowed(request)
        let asked = try await self.request(request)
        return await describe(
            try await desktop.phones.accept(asked.id, comparison: comparison, allowing: rights)
        )
    }

    /// The rights that the person gives together with their yes; none when the request does not say.
    private func allowed(_ request: ControlRequest) throws -> Set<Right> {
        guard request.params["allow"].map({ $0 != .null }) ?? false else { return [] }
        return try rights.list(request.texts("allow"))
    }

    func reject(_ request: ControlRequest) async throws -> JSONValue {
        let asked = try await self.request(request)
        try await desktop.pairing.reject(asked.id)
        return ["id": .string(asked.id), "name": .string(asked.name)]
    }

    /// The request that is meant; without an id the only one.
    ///
    /// - Throws: ``DesktopError``, `PairingError.unknownRequest`.
    private func request(_ request: ControlRequest) async throws -> PairingRequest {
        let requests = await desktop.pairing.requests()
        if let id = try request.optionalText("id") {
            guard let asked = requests.first(where: { $0.id == id }) else { throw PairingError.unknownRequest }
            return asked
        }
        guard let first = requests.first else { throw DesktopError.nobodyAsks }
        guard requests.count == 1 else { throw DesktopError.severalAsk(requests.map(\.id)) }
        return first
    }

    /// Who asks, and who was refused lately without a question.
    func requests() async -> JSONValue {
        let status = await desktop.pairing.status()
        return [
            "requests": .array(status.requests.map { describe($0) }),
            "refused": .array(status.refusals.map(Self.describe)),
        ]
    }

    private static func describe(_ refusal: PairingRefusal) -> JSONValue {
        [
            "name": .string(refusal.name), "platform": .string(refusal.platform.rawValue),
            "sender": .string(refusal.sender), "reason": .string(refusal.reason.rawValue),
            "message": .string(refusal.sentence), "at": .integer(refusal.at.millisecondsSince1970),
        ]
    }

    private func describe(_ request: PairingRequest) -> JSONValue {
        [
            "id": .string(request.id), "name": .string(request.name), "platform": .string(request.platform.rawValue),
            "did": .string(request.did.text), "fingerprint": .string(request.fingerprint),
            "endToEnd": .bool(request.isEndToEnd), "number": .bool(request.comparisonNumber != nil),
            "identityChanged": .bool(request.identityChange != nil),
            "knownName": request.identityChange.map { .string($0.knownName) } ?? .null,
            "knownFingerprint": request.identityChange.map { .string($0.knownFingerprint) } ?? .null,
            "offers": .array(
                rights.declarations.filter { !$0.isInitial }.map {
                    ["name": .string($0.right.rawValue), "meaning": .string($0.meaning)]
                }
            ),
            "arrivedAt": .integer(request.arrivedAt.millisecondsSince1970),
            "expiresAt": .integer(request.expiresAt.millisecondsSince1970),
        ]
    }
}
