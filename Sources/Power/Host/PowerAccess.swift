package import Power

/// Locking, sleeping and waking as a system offers them.
package protocol PowerAccess: Sendable {
    /// Why the session cannot be locked now, in a sentence for the person. Nil: it can.
    func lockObstacle() async -> String?
    /// Why the computer cannot sleep now, in a sentence for the person. Nil: it can.
    func sleepObstacle() async -> String?
    /// The interfaces by which a magic packet may reach this computer, at most ``WakeLimits/addresses``.
    func interfaces() async -> [PowerStatus.Interface]
    /// Asks the session to lock its screen.
    ///
    /// - Throws: ``PowerError``.
    func lock() async throws(PowerError)
    /// Puts the computer to sleep. Returns once the system has begun.
    ///
    /// - Throws: ``PowerError``.
    func sleep() async throws(PowerError)
    /// Broadcasts magic packets into every network of this computer.
    ///
    /// - Returns: How many went out.
    /// - Throws: ``PowerError/notSent(reason:)`` where none did.
    func wake(_ packets: [MagicPacket]) async throws(PowerError) -> Int
}
