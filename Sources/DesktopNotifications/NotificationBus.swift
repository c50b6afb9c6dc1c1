/// The notifications of a desktop session, as its programs show them.
package protocol NotificationBus: Sendable {
    /// The events on the bus from now on, in order. For one reader.
    ///
    /// Connects again by itself when the bus or its service goes, and says so with ``BusEvent/available(_:)`` and
    /// ``BusEvent/unavailable(_:)``. The buffer is bounded: a slow reader loses the oldest notifications of the program
    /// that shows the most, and is told how many with ``BusEvent/missed(_:)``. The stream ends when its task is
    /// cancelled; letting go of it ends the connection too.
    func events() -> AsyncStream<BusEvent>

    /// Shows a notification through the session's own service.
    ///
    /// - Parameter replaced: The id of one that it takes the place of.
    /// - Returns: The service's id for it, unique until the service restarts.
    /// - Throws: ``NotificationBusError``.
    func show(_ notification: BusNotification, replacing replaced: UInt32?) async throws -> UInt32

    /// Closes a notification that any program showed. One that is closed already is no error with most services.
    ///
    /// - Throws: ``NotificationBusError``.
    func close(_ id: UInt32) async throws

    /// Does what pressing a button of a notification does.
    ///
    /// - Parameters:
    ///   - action: The button's ``BusAction/key``.
    ///   - reply: A text, where its program asks for one (``BusNotification/canReply``).
    /// - Throws: ``NotificationBusError/notPossible(service:)`` where the service has no way for other programs to do so.
    func invoke(action: String, reply: String?, of id: UInt32) async throws

    /// The service that runs now.
    ///
    /// - Throws: ``NotificationBusError``.
    func service() async throws -> NotificationService
}
