public import Foundation

/// From when to when a certificate is valid.
public struct CertificateValidity: Hashable, Sendable {
    public let from: Date
    public let to: Date

    public init(from: Date, to: Date) {
        self.from = from
        self.to = to
    }

    /// When two thirds of its life are over: a renewal that fails can be tried for the last third.
    public var renewal: Date { from.addingTimeInterval(max(0, to.timeIntervalSince(from)) * 2 / 3) }
}
