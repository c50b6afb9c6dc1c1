/// The numbers that stand for devices in binary frames on one socket, in both directions. Source: `docs/protocol.md` 2.2.
struct BinaryRoutes: Sendable {
    private static let numbers: ClosedRange<UInt32> = 1...1023
    private static let maximumIncoming = 4096

    private var outgoing: [String: UInt32] = [:]
    private var announced: Set<UInt32> = []
    /// The devices in the order in which they got numbers; the oldest one's number is reused when all are taken.
    private var order: [String] = []
    private var incoming: [UInt32: String] = [:]
    private var refusing: Set<String> = []

    func isRefused(by peer: String) -> Bool { refusing.contains(peer) }

    /// - Returns: The number for frames to `peer`, and whether the server knows it.
    mutating func number(for peer: String) -> (number: UInt32, isAnnounced: Bool) {
        if let number = outgoing[peer] { return (number, announced.contains(number)) }
        let number: UInt32
        if order.count < Self.numbers.count {
            number = UInt32(order.count) + 1
        } else {
            number = outgoing.removeValue(forKey: order.removeFirst()) ?? 1
            announced.remove(number)
        }
        outgoing[peer] = number
        order.append(peer)
        return (number, false)
    }

    mutating func wasAnnounced(_ number: UInt32, for peer: String) {
        if outgoing[peer] == number { announced.insert(number) }
    }

    mutating func refused(by peer: String) { refusing.insert(peer) }

    /// Forgets a device's refusal of binary frames, because a device that came back may be another program.
    mutating func cameBack(_ peer: String) { refusing.remove(peer) }

    mutating func learn(_ number: UInt32, from peer: String) {
        guard incoming[number] != nil || incoming.count < Self.maximumIncoming else { return }
        incoming[number] = peer
    }

    func sender(_ number: UInt32) -> String? { incoming[number] }
}
