/// The gate at which each device was last heard. Answers go back through it, so that no other server learns of them.
struct PairingRoutes: Sendable {
    private static let capacity = 256

    private var gates: [String: Int] = [:]
    /// The ids, oldest first.
    private var order: [String] = []

    subscript(id: String) -> Int? { gates[id] }

    mutating func note(_ id: String, at gate: Int) {
        if gates.updateValue(gate, forKey: id) != nil { return }
        order.append(id)
        if order.count > Self.capacity { gates[order.removeFirst()] = nil }
    }

    mutating func forget(_ id: String) {
        guard gates.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }
}
