import Terminal

/// The viewers of a terminal, which decide its size. There is one size and any number of viewers: it is that of the viewer who looked or typed
/// last, and goes back to the one before when that leaves.
struct TerminalViewers {
    /// One window that shows the terminal.
    struct Viewer: Hashable {
        let device: String
        /// The device's name of it; empty for a device that does not tell its windows apart.
        let id: String
    }

    /// The most viewers that are known at a time; the one that looked longest ago is forgotten.
    static let limit = 32
    /// Bytes of a viewer's name.
    static let nameLimit = TerminalMethods.viewerNameLimit

    private var sizes: [Viewer: TerminalSize] = [:]
    /// The viewers in the order in which they looked or typed, the latest last.
    private var order: [Viewer] = []

    /// The size that the terminal should have; nil while no viewer has told one.
    var size: TerminalSize? { order.last.flatMap { sizes[$0] } }

    /// A viewer has this size.
    ///
    /// - Parameter isLooking: Whether a person looks at it now. If not, one that is new comes after all others.
    mutating func place(_ viewer: Viewer, size: TerminalSize, isLooking: Bool) {
        let isNew = sizes.updateValue(size, forKey: viewer) == nil
        if isLooking {
            order.removeAll { $0 == viewer }
            order.append(viewer)
        } else if isNew {
            order.insert(viewer, at: 0)
        }
        if order.count > Self.limit { leave(order[0]) }
    }

    /// Something was typed there. A viewer that has told no size changes nothing.
    mutating func typed(_ viewer: Viewer) {
        guard sizes[viewer] != nil, order.last != viewer else { return }
        order.removeAll { $0 == viewer }
        order.append(viewer)
    }

    mutating func leave(_ viewer: Viewer) {
        sizes[viewer] = nil
        order.removeAll { $0 == viewer }
    }

    /// All viewers of a device leave.
    mutating func leave(device: String) {
        for viewer in order where viewer.device == device { leave(viewer) }
    }

    /// Whether a device has viewers that it tells apart, and so wants to know the terminal's size.
    func areTold(_ device: String) -> Bool { order.contains { $0.device == device && !$0.id.isEmpty } }

    func hasAny(_ device: String) -> Bool { order.contains { $0.device == device } }
}
