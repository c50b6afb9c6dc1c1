import DesktopNotifications
import LinuxBus

extension BusConnection {
    /// The service's description of itself. Starts none.
    func describeService() async throws -> NotificationService {
        let texts = try await call(.service("GetServerInformation", starts: false)) { message -> [String]? in
            guard message.has(signature: "ssss") else { return nil }
            return (0..<3).compactMap { _ in message.text(limit: 4 * BusNotification.nameLimit) }
        }
        let capabilities = try await call(.service("GetCapabilities", starts: false)) { message in
            message.texts(count: 64, limit: BusNotification.nameLimit)
        }
        guard texts.count == 3 else { throw NotificationBusError.refused(reason: "it does not say what it is") }
        return NotificationService(
            name: texts[0],
            vendor: texts[1],
            version: texts[2],
            capabilities: capabilities,
            canInvoke: ServiceDoor.request(of: texts[0], action: "", id: 0) != nil
        )
    }

    /// Whether the bus starts a service when a program shows a notification.
    func canStartService() async throws -> Bool {
        try await call(.bus("ListActivatableNames")) { message in
            message.texts(count: 10_000, limit: 255)?.contains(NotificationsName.service)
        }
    }

    /// Shows a notification with the service; the bus starts one where none runs and it can.
    func show(
        _ notification: BusNotification,
        replacing replaced: UInt32?,
        capabilities: [String]
    ) async throws -> UInt32 {
        let body = capabilities.contains("body-markup") ? MarkupText.escaped(notification.body) : notification.body
        let arguments: [BusArgument] = [
            .text(notification.programName), .unsigned(replaced ?? 0), .text(notification.icon ?? ""),
            .text(notification.title), .text(body), .texts(notification.actions.flatMap { [$0.key, $0.label] }),
            .dictionary(hints(of: notification)), .signed(notification.expireMilliseconds ?? -1),
        ]
        return try await call(.service("Notify", arguments)) { $0.unsigned() }
    }

    private func hints(of notification: BusNotification) -> [BusArgument.Entry] {
        var hints: [BusArgument.Entry] = [.init("urgency", .byte(notification.urgency.rawValue))]
        if notification.isTransient { hints.append(.init("transient", .flag(true))) }
        if notification.isResident { hints.append(.init("resident", .flag(true))) }
        if let category = notification.category { hints.append(.init("category", .text(category))) }
        if let entry = notification.desktopEntry { hints.append(.init("desktop-entry", .text(entry))) }
        if let value = notification.value { hints.append(.init("value", .signed(Int32(value)))) }
        if let key = notification.syncKey { hints.append(.init("x-canonical-private-synchronous", .text(key))) }
        if notification.isSilent { hints.append(.init("suppress-sound", .flag(true))) }
        if notification.isPresented { hints.append(.init(NotificationsName.presentedHint, .flag(true))) }
        switch notification.image {
        case .pixels(let pixels): hints.append(.init("image-data", .picture(.init(pixels))))
        case .path(let path): hints.append(.init("image-path", .text(path)))
        case .file, nil: break
        }
        return hints
    }
}

/// The interfaces of services to press a button from another program: the specification has no way to do it.
enum ServiceDoor {
    /// - Returns: Nil where the service of this name has no way to press a button of a notification that is named by its id. That of
    ///   dunst goes by the place on the screen, which may have changed when it gets there.
    static func request(of service: String, action: String, id: UInt32) -> BusRequest? {
        guard service == "mako" else { return nil }
        return BusRequest(
            destination: NotificationsName.service,
            path: "/fr/emersion/Mako",
            interface: "fr.emersion.Mako",
            member: "InvokeAction",
            [.unsigned(id), .text(action)],
            startsService: false
        )
    }
}
