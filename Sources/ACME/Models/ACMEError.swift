public import Foundation
public import WebClient

/// Why there is no new certificate. The description is shown to the person: what happened, whose side, what to do.
public enum ACMEError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why a text is no name that an authority certifies by a challenge over the network.
    public enum NameFault: String, Hashable, Sendable {
        case malformed
        case address
        /// Only a record in the DNS proves one.
        case wildcard
        /// Nobody but this network knows it.
        case local
        case notASCII
    }

    /// How a challenge failed, as the authority tells it (RFC 8555 section 6.7).
    public enum Failure: Hashable, Sendable {
        /// The DNS has no usable address of the name.
        case noAddress
        /// Nothing answers at the address of the name.
        case notReached
        /// Something else than this hub answers there.
        case otherAnswer
        /// A CAA record of the name allows other authorities only.
        case forbiddenByCAA
        case other
    }

    /// What an authority refuses a request for (RFC 8555 section 6.7). An open set.
    public enum Refusal: Hashable, Sendable {
        case accountDoesNotExist, badNonce, caa, connection, dns, externalAccountRequired, incorrectResponse,
            invalidContact
        case rateLimited, rejectedIdentifier, tls, unauthorized, unsupportedContact, unsupportedIdentifier,
            userActionRequired
        case other(String)
    }

    case badName(String, NameFault)
    case tooManyNames(limit: Int)
    case badContact(String)
    case badDirectory(String)
    /// No account is kept, and nobody agreed to the terms under which the authority makes one.
    case termsNotAgreed(authority: String, terms: String)
    /// The authority changed its terms, or wants something else of the account's owner.
    case actionRequired(authority: String, detail: String)
    case externalAccountRequired(authority: String)
    case notAsked(WebClientError)
    /// This machine's date lies outside of what was just made.
    case wrongClock(now: Date, from: Date, to: Date)
    /// The account was deactivated or revoked.
    case accountClosed(authority: String, file: String)
    /// Too many certificates, failures or requests; or the authority is at work on itself.
    case askedToWait(authority: String, until: Date, detail: String)
    case notProved(name: String, ChallengeMethod, Failure, detail: String)
    /// The authority offers no challenge for this name that this hub can answer.
    case noMethod(name: String, offered: [String])
    case nameRefused(names: [String], detail: String)
    case refused(authority: String, Refusal, detail: String)
    case badAnswer(authority: String, what: String)
    case wrongCertificate(authority: String, reason: String)
    case tooSlow(authority: String, after: Duration)
    case cannotListen(address: String, port: Int, reason: String)
    case damaged(path: String)
    /// What this hub was to answer the challenge with could not be made.
    case cannotAnswer(reason: String)

    public var description: String {
        switch self {
        case .badName(let name, let fault): "\(name) can have no certificate this way: \(Self.words(for: fault))"
        case .tooManyNames(let limit): "One certificate is for at most \(limit) names. Name fewer with --acme."
        case .badContact(let text):
            "\(text) is no mail address. Give one such as admin@example.org with --acme-contact, or leave it out."
        case .badDirectory(let text):
            "\(text) is no directory of an authority. It begins with https://, for example "
                + "https://acme-v02.api.letsencrypt.org/directory."
        case .termsNotAgreed(let authority, let terms):
            "\(authority) makes certificates under its terms of service: \(terms) Read them; if you agree, start again with "
                + "--acme-agree."
        case .actionRequired(let authority, let detail):
            "\(authority) wants you to act before it makes certificates again. It says: \(detail)"
        case .externalAccountRequired(let authority):
            "\(authority) makes certificates only for accounts that were made at its web site, which Tandem does not support. Choose "
                + "another authority with --acme-directory."
        case .notAsked(let error): "The certificate's authority could not be asked. \(error)"
        case .wrongClock(let now, let from, let to):
            "The new certificate is valid from \(Self.text(from)) to \(Self.text(to)), and this machine's clock says \(Self.text(now)). "
                + "Set the clock; the certificate is asked for again."
        case .accountClosed(let authority, let file):
            "\(authority) no longer accepts this hub's account: it was deactivated or revoked. To register a new one, remove \(file) and "
                + "start again with --acme-agree."
        case .askedToWait(let authority, let until, let detail):
            "\(authority) asks this hub to wait until \(Self.text(until)). It says: \(detail)"
        case .notProved(let name, let method, let failure, let detail):
            Self.words(for: failure, name, method) + (detail.isEmpty ? "" : " The authority says: \(detail)")
        case .noMethod(let name, let offered):
            "The authority offers no way to prove \(name) that this hub has opened. It offers: "
                + "\(offered.isEmpty ? "none" : offered.joined(separator: ", ")). Open port 80 (--acme-http-port) or port 443 for it."
        case .nameRefused(let names, let detail):
            "The authority makes no certificate for \(names.joined(separator: ", ")). It says: \(detail)"
        case .refused(let authority, .invalidContact, let detail),
            .refused(let authority, .unsupportedContact, let detail):
            "\(authority) does not take the mail address. Give another one with --acme-contact. It says: \(detail)"
        case .refused(let authority, let refusal, let detail):
            "\(authority) refused the request (\(refusal.word)). It is asked again later. It says: \(detail)"
        case .badAnswer(let authority, let what):
            "\(authority) answered something that is not ACME: \(what). Check --acme-directory, or try later."
        case .wrongCertificate(let authority, let reason):
            "The certificate that \(authority) made is not the one that was asked for, and is not used: \(reason)."
        case .tooSlow(let authority, let limit):
            "\(authority) did not finish the certificate within \(limit). It is asked again later."
        case .cannotListen(let address, let port, let reason):
            "Port \(port) on \(address), where the authority asks for the proof, could not be opened: \(reason). Stop the other program, "
                + "let this one open the port (CAP_NET_BIND_SERVICE), or forward port 80 to another one and name that with --acme-http-port."
        case .damaged(let path): "\(path) is damaged. Remove it; what it held is made anew."
        case .cannotAnswer(let reason): "The authority's challenge could not be answered: \(reason)."
        }
    }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    private static func words(for fault: NameFault) -> String {
        switch fault {
        case .malformed: "it is no name of the DNS. Give one such as hub.example.org."
        case .address: "it is an address, and the authority certifies names. Give the name that leads to it."
        case .wildcard: "a name with * is proved in the DNS only. Name each host."
        case .local:
            "it is known on this network only. Give a name that the whole internet can look up, or a certificate of your own."
        case .notASCII: "write it as the DNS does, which is xn-- and letters."
        }
    }

    private static func words(for failure: Failure, _ name: String, _ method: ChallengeMethod) -> String {
        let port = method.publicPort
        return switch failure {
        case .noAddress:
            "The authority finds no address of \(name) in the DNS. Check its A and AAAA records, and that each of them leads here."
        case .notReached:
            "The authority could not reach port \(port) of \(name). Open it in the firewall, and forward it where a router stands before "
                + "this machine."
        case .otherAnswer:
            "\(name) does not lead here: something else answers at its port \(port). Check its A and AAAA records, and what listens on the "
                + "port."
        case .forbiddenByCAA:
            "A CAA record of \(name) in the DNS allows other authorities only. Change it, or choose one of those."
        case .other: "The authority did not accept the proof for \(name)."
        }
    }
}

extension ACMEError.Refusal {
    /// As an authority writes it.
    var word: String {
        if case .other(let word) = self { word } else { "\(self)" }
    }
}
