import DesktopNotifications

/// The notifications that this program serves, where the session has no other service. A value: it waits for nothing.
struct ServedNotifications {
    /// Open at once; the oldest is closed for another one.
    static let limit = 256

    struct Entry {
        /// The unique name of the program that showed it, which learns of its buttons.
        let owner: String
        let program: String
        let keys: Set<String>
        let isResident: Bool
        /// Counts how often it was replaced, so that an old expiry closes nothing.
        let generation: UInt64
    }

    private var entries: [UInt32: Entry] = [:]
    private var order: [UInt32] = []
    private var lastID: UInt32 = 0
    private var lastGeneration: UInt64 = 0

    subscript(id: UInt32) -> Entry? { entries[id] }

    /// - Returns: Its id, and one that was closed for it.
    mutating func show(
        _ notification: BusNotification,
        replacing replaced: UInt32
    ) -> (id: UInt32, entry: Entry, closed: (id: UInt32, owner: String)?) {
        lastGeneration += 1
        let entry = Entry(
            owner: notification.senderName,
            program: notification.programName,
            keys: Set(notification.actions.map(\.key)),
            isResident: notification.isResident,
            generation: lastGeneration
        )
        // Scripts connect anew for each text, so a program is known by its connection or its name. Another one would learn of presses that
        // are not meant for it.
        if let old = entries[replaced], old.owner == entry.owner || old.program == entry.program {
            entries[replaced] = entry
            return (replaced, entry, nil)
        }
        repeat { lastID = lastID == .max ? 1 : lastID + 1 } while entries[lastID] != nil
        entries[lastID] = entry
        order.append(lastID)
        guard order.count > Self.limit else { return (lastID, entry, nil) }
        let oldest = order[0]
        return (lastID, entry, close(oldest).map { (oldest, $0.owner) })
    }

    mutating func close(_ id: UInt32) -> Entry? {
        order.removeAll { $0 == id }
        return entries.removeValue(forKey: id)
    }

    /// Closes all.
    mutating func closeAll() -> [(id: UInt32, owner: String)] {
        defer {
            entries = [:]
            order = []
        }
        return order.compactMap { id in entries[id].map { (id, $0.owner) } }
    }
}
