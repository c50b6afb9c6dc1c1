import Principals
import Transport

/// The address of a client. One without an address counts as the internet.
extension NetworkAddress? {
    var isLoopback: Bool { self?.scope.isLoopback ?? false }

    /// Loopback, a private network, link-local, or a VPN's shared space.
    var isPrivate: Bool { self?.scope.isPrivate ?? false }

    /// The text that limits are kept under; empty where there is no address.
    var limitKey: String { self?.limitKey ?? "" }

    /// The origin of wrong tokens. This machine itself is never kept out, so that guesses of others do not lock its owner out.
    var guessSource: GuessThrottle.Source { isLoopback ? .exempt : .of(limitKey) }
}
