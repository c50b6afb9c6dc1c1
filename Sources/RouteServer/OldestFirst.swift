import NIOCore

/// Things in the order they came, any of which may leave. Where there is no room for all, the oldest gives way: an honest client is
/// through in moments, so the one that stands longest most likely blocks on purpose.
package struct OldestFirst<Element> {
    private var order = CircularBuffer<UInt64>()
    private var elements: [UInt64: Element] = [:]
    private var next: UInt64 = 0

    package init() {}

    package var count: Int { elements.count }

    /// - Returns: The place it can be removed by.
    package mutating func append(_ element: Element) -> UInt64 {
        // Those that left stay in the order until they are its head; a long-lived head must not let them pile up.
        if order.count > 2 * elements.count + 64 { order = CircularBuffer(order.filter { elements[$0] != nil }) }
        next += 1
        order.append(next)
        elements[next] = element
        return next
    }

    package mutating func remove(_ place: UInt64) { elements[place] = nil }

    /// The one that has been here longest.
    package mutating func oldest() -> Element? {
        while let place = order.first {
            if let element = elements[place] { return element }
            order.removeFirst()
        }
        return nil
    }

    /// Removes the one that has been here longest.
    package mutating func takeOldest() -> Element? {
        while let place = order.popFirst() {
            if let element = elements.removeValue(forKey: place) { return element }
        }
        return nil
    }
}
