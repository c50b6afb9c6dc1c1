/// How often one device may ask: bursts up to the first number, the second on average.
package struct GateLimits: Hashable, Sendable {
    package struct Rate: Hashable, Sendable {
        package var burst: Double
        package var perSecond: Double

        package init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// A session: keystrokes and file pieces come in thousands a second, so this only stops a phone that runs wild.
    package var session = Rate(burst: 100_000, perSecond: 100_000)
    /// A token of the bridge, on all of its sockets.
    package var token = Rate(burst: 400, perSecond: 100)
    /// A documented-only device, whatever it asks. Source: `docs/protocol.md`, "Who may do what".
    package var clearDoor = Rate(burst: 2000, perSecond: 400)
    /// A documented-only device's requests that are no steps of something that it began.
    package var clear = Rate(burst: 100, perSecond: 100.0 / 60)
    /// The privileged ones among these.
    package var clearPrivileged = Rate(burst: 10, perSecond: 10.0 / 60)
    /// The steps of one terminal or transfer: keys and chunks.
    package var clearStep = Rate(burst: 400, perSecond: 100)
    /// All devices that are not paired, together.
    package var strangers = Rate(burst: 100, perSecond: 10)

    package init() {}
}
