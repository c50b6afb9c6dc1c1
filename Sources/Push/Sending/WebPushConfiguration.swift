/// How Web Push messages are sent.
package struct WebPushConfiguration: Sendable {
    package let key: VAPIDKey
    /// Apple's service takes nothing without it.
    package let contact: VAPIDContact?
    /// Push services of the owner's own: they may have any port, any name and any address.
    package var allowing: Set<PushOrigin> = []
    /// Certificates that those services may be known by, PEM; the system's authorities where it is nil. All others are known by the system's.
    package var certificates: [UInt8]?
    package var limits = Limits()

    package init(key: VAPIDKey, contact: VAPIDContact?) {
        self.key = key
        self.contact = contact
    }

    package struct Limits: Hashable, Sendable {
        /// The time limit for opening a socket to one address.
        package var connect = Duration.seconds(5)
        /// The time limit for one message, from looking the name up to the answer.
        package var exchange = Duration.seconds(15)
        /// Messages under way to one push service.
        package var perOrigin = 4
        /// Messages under way.
        package var total = 16
        /// Messages that wait for their turn.
        package var waiting = 64
        /// Addresses of a name that are tried.
        package var addresses = 3

        package init() {}
    }
}
