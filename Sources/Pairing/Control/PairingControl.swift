package import Control
import Kernel
package import Rights
import Sealing

/// The control methods of a role that pair it. The members' names are those that `--json` prints.
package enum PairingControl {
    package static let show = ControlMethod<ShowCode, CodeEntry>(
        "pair.show",
        summary: "Make a code for the other device to scan or to type."
    )
    package static let hide = ControlMethod<NoControlParameters, HiddenCode>(
        "pair.hide",
        summary: "Take the shown code back: it is worth nothing from then on."
    )
    package static let watch = ControlStream<ShowCode, PairingEvent, NoControlAnswer>(
        "pair.watch",
        summary: "Make a code and report what becomes of it."
    )
    package static let scan = ControlStream<ScannedCode, PairingEvent, DeviceEntry>(
        "pair.scan",
        summary: "Pair with the device whose code was scanned."
    )
    package static let type = ControlStream<TypedDigitsOfCode, PairingEvent, DeviceEntry>(
        "pair.code",
        summary: "Pair with the computer whose digits were typed."
    )
    package static let requests = ControlMethod<NoControlParameters, RequestList>(
        "pair.requests",
        summary: "Who asks to be paired, and who was refused without a question."
    )
    package static let accept = ControlMethod<Acceptance, DeviceEntry>(
        "pair.accept",
        summary: "Say yes to a device that asks."
    )
    package static let reject = ControlMethod<RequestChoice, EndedRequest>(
        "pair.reject",
        summary: "Say no to a device that asks."
    )
}

// MARK: Parameters

/// The person's answer to the event `confirm` of ``PairingControl/type``: an input while it runs.
package struct NumberConfirmation: Codable, Hashable, Sendable {
    /// Whether the computer asked for the number and says that it is paired.
    package var same: Bool

    package init(same: Bool) { self.same = same }
}

/// The exceptions to the safe defaults that a person may allow in one pairing.
package protocol PairingTrust {
    var allowUnsealed: Bool? { get }
    var acceptNewIdentity: Bool? { get }
}

extension PairingTrust {
    package var options: PairingOptions {
        PairingOptions(allowsDocumentedPeers: allowUnsealed == true, acceptsNewIdentity: acceptNewIdentity == true)
    }
}

package struct ShowCode: Codable, Hashable, Sendable, PairingTrust {
    package var allowUnsealed: Bool?
    package var acceptNewIdentity: Bool?
    /// Whether six digits are typed in place of ten; a computer's only.
    package var sixDigits: Bool?
    /// Whether there are digits to type; false for a code that can only be scanned. A computer's only.
    package var digits: Bool?
    /// Whether watching goes on when the code is over.
    package var stay: Bool?
    /// Whether another code is made when the code is over.
    package var renew: Bool?
    /// Whether a code that is still good is shown again, so that opening or reloading a page voids none; for watching a computer's code.
    package var keep: Bool?

    package init(
        allowUnsealed: Bool? = nil,
        acceptNewIdentity: Bool? = nil,
        sixDigits: Bool? = nil,
        digits: Bool? = nil,
        stay: Bool? = nil,
        renew: Bool? = nil,
        keep: Bool? = nil
    ) {
        self.allowUnsealed = allowUnsealed
        self.acceptNewIdentity = acceptNewIdentity
        self.sixDigits = sixDigits
        self.digits = digits
        self.stay = stay
        self.renew = renew
        self.keep = keep
    }
}

package struct ScannedCode: Codable, Hashable, Sendable, PairingTrust {
    package var text: String
    package var allowUnsealed: Bool?
    package var acceptNewIdentity: Bool?
    /// The names of further rights for the phone, where a computer scans.
    package var allow: [String]?

    package init(_ text: String, allowUnsealed: Bool, acceptNewIdentity: Bool, allow: [String]?) {
        self.text = text
        self.allowUnsealed = allowUnsealed
        self.acceptNewIdentity = acceptNewIdentity
        self.allow = allow
    }
}

package struct TypedDigitsOfCode: Codable, Hashable, Sendable, PairingTrust {
    package var digits: String
    package var allowUnsealed: Bool?
    package var acceptNewIdentity: Bool?
    /// The server to ask, where the phone knows none yet.
    package var url: String?

    package init(_ digits: String, allowUnsealed: Bool, acceptNewIdentity: Bool, url: String?) {
        self.digits = digits
        self.allowUnsealed = allowUnsealed
        self.acceptNewIdentity = acceptNewIdentity
        self.url = url
    }
}

package struct Acceptance: Codable, Hashable, Sendable {
    /// The request's id; nil where only one device asks.
    package var id: String?
    /// The number that the phone shows, where that is compared.
    package var number: String?
    /// The names of further rights for the phone.
    package var allow: [String]?
    /// A preset, as in `RightPreset`, whose rights the phone gets besides.
    package var preset: String?

    package init(id: String?, number: String?, allow: [String]?, preset: String? = nil) {
        self.id = id
        self.number = number
        self.allow = allow
        self.preset = preset
    }
}

package struct RequestChoice: Codable, Hashable, Sendable {
    /// The request's id; nil where only one device asks.
    package var id: String?

    package init(_ id: String?) { self.id = id }
}

// MARK: Answers. Times are in milliseconds since 1970.

package struct CodeEntry: Codable, Hashable, Sendable {
    /// The text of the QR code.
    package var payload: String
    /// The code as the address of the page that makes a browser a phone; a computer's only, and only where a server of it serves that page.
    package var link: String?
    package var code: String
    /// Whether ``code`` can be typed now; a computer's only.
    package var typed: Bool?
    /// Why the digits are found at no server at the moment; nil while they are found. A computer's only.
    package var trouble: DigitsTrouble?
    package var expiresAt: Int64
    /// The words of the phone's key; a phone's only.
    package var ownFingerprint: String?

    /// The text to draw: the link where there is one.
    package var drawn: String { link ?? payload }

    package init(_ shown: ShownPairingCode, trouble: TypedCodeTrouble? = nil) {
        self.trouble = trouble.map(DigitsTrouble.init)
        payload = shown.qrText
        link = shown.link?.text
        code = shown.typed?.digits ?? shown.qr.code.digits
        typed = shown.typed != nil
        expiresAt = shown.expiresAt.millisecondsSince1970
    }

    /// - Parameter own: The words of this phone's key.
    package init(_ shown: PhonePairing.ShownCode, own: String) {
        payload = shown.text
        code = shown.qr.code.digits
        expiresAt = shown.expiresAt.millisecondsSince1970
        ownFingerprint = own
    }
}

/// The reason why digits do not work at the moment.
package struct DigitsTrouble: Codable, Hashable, Sendable {
    /// `limited`, `taken` or `unreachable`.
    package var reason: String
    /// Host and port of the server that is tried again first.
    package var server: String
    /// When that server is tried again.
    package var until: Int64
    package var message: String

    package init(_ trouble: TypedCodeTrouble) {
        reason = trouble.reason.rawValue
        server = trouble.server
        until = trouble.retriesAt.millisecondsSince1970
        message = trouble.sentence
    }
}

package struct HiddenCode: Codable, Hashable, Sendable {
    /// Whether a code was shown.
    package var hidden: Bool

    package init(_ hidden: Bool) { self.hidden = hidden }
}

package struct RequestList: Codable, Hashable, Sendable {
    package var requests: [RequestEntry]
    /// Recent refusals that were made without asking the person.
    package var refused: [RefusalEntry]
    /// Requests that their devices took back recently; nil from an older program.
    package var withdrawn: [EndedRequest]?

    package init(_ status: PairingHostStatus, offers: RightsCatalogue) {
        requests = status.requests.map { RequestEntry($0, offers: offers) }
        refused = status.refusals.map(RefusalEntry.init)
        withdrawn = status.withdrawn.map(EndedRequest.init)
    }
}

/// A request of a device to be paired, with the facts for the decision.
package struct RequestEntry: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    package var platform: PairingPlatform
    package var did: String
    package var fingerprint: String
    package var endToEnd: Bool
    /// Whether the phone shows six digits, which are typed with the yes.
    package var number: Bool
    package var identityChanged: Bool
    @OrNull package var knownName: String?
    @OrNull package var knownFingerprint: String?
    /// Rights that can be given together with the yes.
    package var offers: [Offer]
    package var arrivedAt: Int64
    package var expiresAt: Int64

    package struct Offer: Codable, Hashable, Sendable {
        package var name: String
        package var meaning: String
    }

    package init(_ request: PairingRequest, offers rights: RightsCatalogue) {
        id = request.id
        name = request.name
        platform = request.platform
        did = request.did.text
        fingerprint = request.fingerprint
        endToEnd = request.isEndToEnd
        number = request.comparisonNumber != nil
        identityChanged = request.identityChange != nil
        knownName = request.identityChange?.knownName
        knownFingerprint = request.identityChange?.knownFingerprint
        offers = rights.declarations.filter { !$0.isInitial }
            .map { Offer(name: $0.right.rawValue, meaning: $0.meaning) }
        arrivedAt = request.arrivedAt.millisecondsSince1970
        expiresAt = request.expiresAt.millisecondsSince1970
    }
}

package struct RefusalEntry: Codable, Hashable, Sendable {
    package var name: String
    package var platform: PairingPlatform
    package var sender: String
    package var reason: String
    package var message: String
    package var at: Int64

    package init(_ refusal: PairingRefusal) {
        name = refusal.name
        platform = refusal.platform
        sender = refusal.sender
        reason = refusal.reason.rawValue
        message = refusal.sentence
        at = refusal.at.millisecondsSince1970
    }
}

/// A request that is over: the person said no, or its device took it back.
package struct EndedRequest: Codable, Hashable, Sendable {
    package var id: String
    package var name: String

    package init(_ request: PairingRequest) {
        id = request.id
        name = request.name
    }
}
