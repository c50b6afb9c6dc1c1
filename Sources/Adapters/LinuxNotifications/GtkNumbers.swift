/// Numbers for the notifications of GTK programs, which have none: of the half that no service gets to, since it counts from one. A value: it
/// waits for nothing.
struct GtkNumbers {
    /// Ids that are remembered; older ones are neither closed nor replaced.
    static let limit = 1024
    static let first: UInt32 = 1 << 31

    private var numbers: [GtkNotificationID: UInt32] = [:]
    private var ids: [UInt32: GtkNotificationID] = [:]
    private var order: [UInt32] = []
    private var last = first

    subscript(number: UInt32) -> GtkNotificationID? { ids[number] }

    /// - Returns: The number, and whether one of this id was there before.
    mutating func number(of id: GtkNotificationID) -> (number: UInt32, isKnown: Bool) {
        if let number = numbers[id] { return (number, true) }
        last = last == .max ? Self.first : last + 1
        if let old = ids[last] { _ = forget(old) }
        (numbers[id], ids[last]) = (last, id)
        order.append(last)
        if order.count > Self.limit, let oldest = ids[order[0]] { _ = forget(oldest) }
        return (last, false)
    }

    mutating func forget(_ id: GtkNotificationID) -> UInt32? {
        guard let number = numbers.removeValue(forKey: id) else { return nil }
        ids[number] = nil
        order.removeAll { $0 == number }
        return number
    }

    mutating func forgetAll() { (numbers, ids, order) = ([:], [:], []) }
}
