import Crypto
package import Foundation
package import Kernel
package import Rights
import Sealing

/// The computer's side of all pairings: a value without I/O or clock that is given the messages and the person's
/// decisions. ``PairingHost`` carries out its effects.
package struct DesktopPairing: Sendable {
    /// An action for ``PairingHost``; several are carried out in order.
    package enum Effect: Sendable {
        case send(JSONValue, to: String)
        /// The code or the requests have changed, and the new status is to be shown.
        case changed
        case requested(PairingRequest)
        /// The phone took back an accepted request: its record is removed, unless the phone has shown that it holds the pairing.
        case drop(PairingRequest)
        case scanEnded(PairingCode, Result<PairedPhone, PairingError>)
    }

    /// The addresses at which phones find this computer; both are drawn into the QR code.
    package typealias Addresses = PairingHostDependencies.Addresses

    /// A code on the screen.
    struct Window: Sendable {
        /// The QR code, which lasts as long as the window: wrong frames and wrong guesses never end it.
        var qr: DesktopPairingQR
        /// The same as a link.
        var link: PairingLink?
        var presenter: QRExchange.Presenter
        var expiresAt: Date
        var allowsDocumentedPeers: Bool
        var digits: TypedDigits
        /// All ten digits, however many of them are shown. They are replaced after a wrong guess. Nil when none were asked for.
        var typed: TypedCode?
        var wrongTries = WrongTries()

        func isShown(_ code: String) -> Bool { code == qr.code.digits || code == typed?.code.digits }
    }

    /// A request that waits for the person's decision, or whose record is being written to disk.
    struct Pending: Sendable {
        enum Way: Sendable {
            case scanned(QRExchange.Presenter)
            case typed(CodeExchange.Desktop)
            case documented
        }

        var request: PairingRequest
        var code: PairingCode
        var way: Way
        /// The SHA-256 of the message that is answered when the person has decided.
        var digest: [UInt8]
        var agreementKey: AgreementPublicKey?
        /// The answer, made when the person said yes, and sent when the record is on disk.
        var reply: JSONValue?
        /// Whether the phone took the request back while the record was being written to disk.
        var isWithdrawn = false
    }

    struct TypedTry: Sendable {
        var exchange: CodeExchange.Desktop
        var startedAt: Date
    }

    static let lifetime: TimeInterval = 300
    static let typedTriesAllowed = 4
    static let requestsAllowed = 8

    let own: OwnDevice
    let initialRights: Set<Right>
    var window: Window?
    var pending: [Pending] = []
    /// Requests that were accepted recently, newest last, whose phones may have given up before they learned of that.
    var accepted: [(question: Pending, at: Date)] = []
    /// Requests that their phones took back recently, newest last.
    var withdrawn: [(request: PairingRequest, at: Date)] = []
    var typedTries: [DID: TypedTry] = [:]
    var scans: [PairingCode: PhoneScan] = [:]
    var guesses: GuessLimiter
    var answers = PairingAnswers()
    var codeStatus = PairingHostStatus.Code.none
    var lastPaired: PairedPhone?
    var refused = PairingRefusals()
    /// Codes that were shown recently and are over. A phone that sends one is told so, which does not count as a guess.
    private var ended: [(code: PairingCode, at: Date)] = []
    /// Limits refusals, so that strangers cannot make this computer send many messages to others.
    private var refusals = TokenBucket(capacity: 20, refillPerSecond: 1, now: 0)
    /// The monotonic time at which the current message came.
    var ticks: UInt64 = 0

    /// - Parameters:
    ///   - guesses: The record of wrong codes from the program's last run.
    ///   - initialRights: The rights that every phone has from its pairing on.
    package init(own: OwnDevice, guesses: GuessRecord = GuessRecord(), initialRights: Set<Right> = [], now: Date) {
        self.own = own
        self.initialRights = initialRights
        self.guesses = GuessLimiter(guesses, now: now)
    }

    // MARK: The code on the screen

    /// Shows a new code in place of the one before.
    ///
    /// - Parameter typed: The ten digits; drawn at random when nil.
    package mutating func makeCode(
        _ typed: TypedCode? = nil,
        options: PairingOptions = PairingOptions(),
        addresses: Addresses,
        now: Date
    ) throws -> ShownPairingCode {
        endWindow(.none, now: now)
        let window = try newWindow(typed ?? newDigits(), options: options, addresses: addresses, now: now)
        show(window, now: now)
        return shown(window, now: now)
    }

    /// Keeps the shown code where it fits `options`, and returns whether it does. A code that can only be scanned gets digits where
    /// digits are asked for; its QR code stays as it is.
    package mutating func keepCode(options: PairingOptions, now: Date) -> Bool {
        guard var kept = window, now <= kept.expiresAt, kept.allowsDocumentedPeers == options.allowsDocumentedPeers
        else { return false }
        if kept.digits == .none, options.digits != .none {
            kept.digits = options.digits
            kept.typed = newDigits()
        }
        show(kept, now: now)
        return true
    }

    mutating func withdrawCode(now: Date) -> [Effect] {
        // The outcome of a used code is still to be shown.
        if codeStatus == .used { return [] }
        endWindow(.none, now: now)
        return [.changed]
    }

    private func newDigits() -> TypedCode {
        var generator = SystemRandomNumberGenerator()
        var code = PairingCode.random(using: &generator)
        while hasEnded(code.digits) { code = PairingCode.random(using: &generator) }
        let secretDigits = String(String(Int.random(in: 10_000...19_999, using: &generator)).dropFirst())
        return TypedCode(code: code, secretDigits: secretDigits)
    }

    private func newWindow(
        _ typed: TypedCode,
        options: PairingOptions,
        addresses: Addresses,
        now: Date
    ) throws -> Window {
        let offer = QROffer(identity: own.identity)
        func code(nameBytes: Int) throws -> (qr: DesktopPairingQR, link: PairingLink?) {
            let qr = try DesktopPairingQR(
                code: typed.code,
                pcPeerID: own.deviceID,
                deviceInfo: own.desktopInfo,
                createdAt: now,
                signalingURL: addresses.signalingURL,
                relayURL: addresses.relayURL,
                offer: offer,
                nameBytes: nameBytes
            )
            // A code that lets in phones without sealing is for these, which read no links.
            let page = options.allowsDocumentedPeers ? nil : addresses.phonePage
            return (qr, page.flatMap { PairingLink(qr, page: $0) })
        }
        var (qr, link) = try code(nameBytes: DesktopPairingQR.nameBytes)
        // The whole name comes with the handshake; what a camera cannot read brings nobody that far.
        if let long = link, long.missingRoom > 0 {
            (qr, link) = try code(nameBytes: max(qr.deviceInfo.name.utf8.count - long.missingRoom, 8))
        }
        return Window(
            qr: qr,
            link: link,
            presenter: try own.presenter(of: qr.json, code: typed.code, offer: offer),
            expiresAt: now.addingTimeInterval(Self.lifetime),
            allowsDocumentedPeers: options.allowsDocumentedPeers,
            digits: options.digits,
            typed: options.digits == .none ? nil : typed
        )
    }

    private mutating func show(_ window: Window, now: Date) {
        self.window = window
        codeStatus = .shown(shown(window, now: now))
    }

    private func shown(_ window: Window, now: Date) -> ShownPairingCode {
        let typed = window.typed.map { window.digits == .six ? TypedCode(code: $0.code) : $0 }
        return ShownPairingCode(
            qr: window.qr,
            link: window.link,
            typed: guesses.isLocked(now: now) ? nil : typed,
            expiresAt: window.expiresAt
        )
    }

    /// Ends the shown code, and with it the typed tries that are under way.
    mutating func endWindow(_ status: PairingHostStatus.Code, now: Date) {
        if let window {
            noteEnded(window.qr.code, now: now)
            if let typed = window.typed { noteEnded(typed.code, now: now) }
        }
        window = nil
        typedTries = [:]
        codeStatus = status
    }

    func hasEnded(_ code: String) -> Bool { ended.contains { $0.code.digits == code } }

    private mutating func noteEnded(_ code: PairingCode, now: Date) {
        ended = ended.filter { now.timeIntervalSince($0.at) < 2 * Self.lifetime }.suffix(31) + [(code, now)]
    }

    /// Counts a wrong code or a forged message. From the fifth on, the sender's digits are no longer accepted; after five of all
    /// senders together, nothing in the clear is, where only six digits have to be guessed. The QR code stays valid.
    mutating func countWrongTry(of sender: String?, now: Date) -> [Effect] {
        guard var window else { return [] }
        let isTooMany = window.wrongTries.note(sender)
        if window.wrongTries.total >= WrongTries.allowed { window.allowsDocumentedPeers = false }
        self.window = window
        guard isTooMany else { return [] }
        guesses.noteInterference(now: now)
        return [.changed]
    }

    /// Counts a wrong guess. There is one guess for each typed code, so new digits replace the old ones beside the same QR code.
    mutating func failGuess(now: Date) -> [Effect] {
        guesses.fail(now: now)
        typedTries = [:]
        guard var next = window, let old = next.typed else { return [.changed] }
        noteEnded(old.code, now: now)
        next.typed = newDigits()
        show(next, now: now)
        return [.changed]
    }

    // MARK: Time

    /// Whether ``tick(now:)`` is due every second, because time alone may change something.
    var isWaiting: Bool { window != nil || !pending.isEmpty || !scans.isEmpty || !guesses.isRelaxed }

    package mutating func tick(now: Date) -> [Effect] {
        var effects: [Effect] = guesses.relax(now: now) ? [.changed] : []
        if let window {
            if now > window.expiresAt {
                endWindow(.expired, now: now)
                effects.append(.changed)
            } else if codeStatus != .shown(shown(window, now: now)) {
                codeStatus = .shown(shown(window, now: now))  // the lock is over: there are digits to type again
                effects.append(.changed)
            }
        }
        typedTries = typedTries.filter { now.timeIntervalSince($0.value.startedAt) < 60 }
        for over in pending where now > over.request.expiresAt && over.reply == nil {
            effects += end(over, answering: .expired, now: now)
        }
        return effects
    }

    package func status(now: Date) -> PairingHostStatus {
        PairingHostStatus(
            code: codeStatus,
            requests: pending.filter { $0.reply == nil }.map(\.request),
            isSettling: pending.contains { $0.reply != nil },
            lastPaired: lastPaired,
            isSuspicious: guesses.isSuspicious(now: now),
            typedCodesLockedUntil: guesses.isLocked(now: now) ? guesses.lockedUntil : nil,
            withdrawn: withdrawn.filter { now.timeIntervalSince($0.at) < PairingRefusals.lifetime }.map(\.request),
            refusals: refused.current(now: now)
        )
    }

    // MARK: Refusals

    package static func digest(of payload: JSONValue) -> [UInt8] { Array(SHA256.hash(data: payload.canonicalBytes)) }

    static func rejection(_ reason: PairingReject.Reason, code: String) -> JSONValue? {
        // Nil only if encoding failed; the refusal is a courtesy.
        try? PairingMessage.reject(PairingReject(code: String(code.prefix(16)), reason: reason)).payload
    }

    /// A refusal for the sender of a message, if the server named the sender.
    ///
    /// - Parameter digest: The digest of a message whose repeats get the same refusal and do not count as further tries.
    mutating func refuse(
        _ reason: PairingReject.Reason,
        code: String,
        to recipient: String?,
        keptFor digest: [UInt8]? = nil,
        now: Date
    ) -> [Effect] {
        guard let recipient, !recipient.isEmpty, PeerText.isIdentifier(recipient), recipient != own.deviceID,
            let payload = Self.rejection(reason, code: code),
            refusals.take(now: ticks)
        else { return [] }
        if let digest { answers.keep(.message(payload, to: recipient), for: digest, now: now) }
        return [.send(payload, to: recipient)]
    }
}
