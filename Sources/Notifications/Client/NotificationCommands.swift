public import Commands

/// The notifications of a computer, method by method.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct NotificationCommands: Sendable {
    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    // MARK: Documented

    /// Shows something at the computer.
    public func send(_ notification: NewNotification) async throws -> NotificationSent {
        try await checked(NotificationMethods.send, notification)
    }

    /// Tells phones of the computer: those that are named, or all.
    public func sendToMobile(_ notification: ForwardedNotification) async throws -> NotificationDelivery {
        try await checked(NotificationMethods.sendToMobile, notification)
    }

    /// Tells every phone of the computer.
    public func broadcast(_ notification: ForwardedNotification) async throws -> NotificationDelivery {
        try await checked(NotificationMethods.broadcast, notification)
    }

    /// A page of the history, the newest first.
    public func getHistory(
        _ query: NotificationHistoryQuery = NotificationHistoryQuery()
    ) async throws -> NotificationHistory {
        var query = query
        // Existing programs refuse, or answer with nothing, where these are out of range.
        query.limit = min(
            max(query.limit, Int(NotificationLimits.page.lowerBound)),
            Int(NotificationLimits.page.upperBound)
        )
        query.offset = max(0, query.offset)
        return try await peer.call(NotificationMethods.getHistory, query)
    }

    /// Marks these read, on all devices.
    public func markAsRead(_ ids: [String]) async throws -> NotificationCount {
        try await checked(NotificationMethods.markAsRead, NotificationIDs(ids))
    }

    /// Marks everything read that the asker has seen.
    ///
    /// - Parameter number: The last ``RemoteNotification/sequence`` that was seen; nil: all there are.
    public func markAllAsRead(upTo number: Int64? = nil) async throws -> NotificationCount {
        try await peer.call(NotificationMethods.markAllAsRead, AllNotifications(upTo: number))
    }

    /// Deletes these, on all devices.
    public func delete(_ ids: [String]) async throws -> NotificationCount {
        try await checked(NotificationMethods.delete, NotificationIDs(ids))
    }

    /// Deletes everything that the asker has seen, up to a number as in ``markAllAsRead(upTo:)``.
    public func clearAll(upTo number: Int64? = nil) async throws -> NotificationCount {
        try await peer.call(NotificationMethods.clearAll, AllNotifications(upTo: number))
    }

    /// How many were not read.
    public func getUnreadCount() async throws -> Int {
        try await peer.call(NotificationMethods.getUnreadCount).count
    }

    /// The computer's notification settings, which hold for every device.
    public func getSettings() async throws -> NotificationSettings {
        try await peer.call(NotificationMethods.getSettings)
    }

    /// - Returns: All settings as they are from now on.
    /// - Throws: Also ``RemoteError/invalidArgument(_:)`` for a change that changes nothing.
    public func updateSettings(_ change: NotificationSettingsChange) async throws -> NotificationSettings {
        let saved = try await checked(NotificationMethods.updateSettings, change)
        if let reason = saved.reason {
            throw RemoteFailure(
                code: FailureCode.internalError,
                message: reason.isEmpty ? "The computer did not change the settings, and does not say why." : reason
            )
        }
        if let settings = saved.settings { return settings }
        return try await getSettings()
    }

    /// Deletes what is older.
    public func clearHistory(_ old: OldNotifications) async throws -> NotificationCount {
        try await peer.call(NotificationMethods.clearHistory, old)
    }

    // MARK: Ours

    /// Asks for the changes since a number. It also tells the computer that everything up to that number is kept here.
    public func sync(_ query: NotificationSyncQuery) async throws -> NotificationChanges {
        try await peer.call(NotificationMethods.sync, query)
    }

    /// A PNG or JPEG file.
    public func image(_ id: String) async throws -> [UInt8] {
        try await peer.call(NotificationMethods.image, NotificationIDs([id])).bytes
    }

    /// The programs of the computer's desktop.
    public func sources() async throws -> NotificationPrograms { try await peer.call(NotificationMethods.sources) }

    /// Lets a program's notifications through, or not.
    public func setSource(_ name: String, isAllowed: Bool) async throws -> NotificationPrograms {
        try await peer.call(
            NotificationMethods.setSource,
            NotificationProgramChange(name: name, isAllowed: isAllowed)
        )
    }

    /// Presses a button, or answers.
    public func act(_ press: NotificationPress) async throws {
        _ = try await checked(NotificationMethods.act, press)
    }

    /// Registers where this phone is woken while it is closed.
    public func registerPush(_ registration: PushRegistration) async throws {
        _ = try await peer.call(NotificationMethods.registerPush, registration)
    }

    /// Ends pushes to this phone.
    public func unregisterPush() async throws { _ = try await peer.call(NotificationMethods.unregisterPush) }

    /// Checks parameters against the method's declaration: a call that the computer would refuse is not sent.
    private func checked<Parameters, Answer>(
        _ method: Method<Parameters, Answer>,
        _ parameters: Parameters
    ) async throws -> Answer {
        do {
            try method.declaration.check(parameters.wire)
        } catch {
            throw RemoteError.invalidArgument("\(error)")
        }
        return try await peer.call(method, parameters)
    }
}
