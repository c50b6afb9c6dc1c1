package import Rights

/// A skill that keeps things going for phones, and ends them when a right is taken back or the owner says so.
package protocol ActivityKeeper: Sendable {
    func activities() async -> [Activity]

    /// Ends one.
    ///
    /// - Returns: Whether there was one that could be ended.
    func end(_ id: Activity.ID) async -> Bool

    /// A device has lost rights: what each of them kept going ends, when this returns at the latest.
    ///
    /// - Parameter kept: What the owner leaves running without the device, such as its shells.
    func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async
}

/// An observer that is told when an activity begins that the owner should know of at once.
package protocol ActivityObserver: Sendable {
    func began(_ activity: Activity)
}
