package import Foundation
import Kernel
import WebClient

/// The tries to get one certificate, which a restart does not begin anew: a program that is started again and again must not ask an authority
/// each time.
package struct CertificateTries: Hashable, Sendable, Codable {
    /// The waits behind failures that the authority took part in. Let's Encrypt allows five failed proofs an hour for a name.
    private static let waits: [TimeInterval] = [60, 300, 1200, 3600, 4 * 3600, 12 * 3600, 24 * 3600]
    /// The waits while the authority is not reached at all, which costs it nothing.
    private static let absenceWaits: [TimeInterval] = [10, 30, 60, 300, 600]

    let directory: String
    let names: [String]
    /// Failures in a row that the authority took part in.
    package private(set) var failures = 0
    /// Tries since the last one that reached the authority.
    private var absences = 0
    private var notBeforeMilliseconds: Int64?
    /// Whether the certificate that is kept is this authority's.
    package private(set) var hasCertificate = false

    enum CodingKeys: String, CodingKey {
        case directory
        case names
        case failures
        case absences
        case notBeforeMilliseconds = "notBefore"
        case hasCertificate
    }

    init(_ configuration: ACMEConfiguration) {
        directory = configuration.directory.text
        names = configuration.names.map(\.text)
    }

    func isSame(as other: CertificateTries) -> Bool { directory == other.directory && names == other.names }

    /// The first moment at which the authority may be asked again; nil: at once.
    package var notBefore: Date? { notBeforeMilliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) } }

    package mutating func succeeded() {
        failures = 0
        absences = 0
        notBeforeMilliseconds = nil
        hasCertificate = true
    }

    /// - Parameter spread: 0.8 to 1.2, drawn at random: hubs that failed together do not come back together.
    package mutating func failed(_ error: (any Error)?, now: Date, spread: Double) {
        let isAbsence = (error as? ACMEError)?.facts.isAbsence ?? false
        let waits = isAbsence ? Self.absenceWaits : Self.waits
        var next = now.addingTimeInterval(waits[min(isAbsence ? absences : failures, waits.count - 1)] * spread)
        absences = isAbsence ? min(absences + 1, waits.count) : 0
        if !isAbsence { failures += 1 }
        if case .askedToWait(_, let until, _)? = error as? ACMEError { next = max(next, until) }
        notBeforeMilliseconds = Int64(next.timeIntervalSince1970 * 1000)
    }

    /// When the next certificate is asked for.
    ///
    /// - Parameter chain: The one that is kept.
    package func next(after chain: CertificateChain?, for names: [CertificateName], now: Date) -> Date {
        // One that a clock in the past would call not valid yet is no reason for another: the clock is wrong.
        let isUsable = chain.map { hasCertificate && $0.covers(names) && $0.names.count == names.count } ?? false
        let wanted = isUsable ? chain?.validity.renewal ?? now : now
        guard let notBefore else { return wanted }
        // A clock that was set back must not keep a hub waiting for years.
        return max(wanted, min(notBefore, now.addingTimeInterval(RetryAfter.longest)))
    }
}
