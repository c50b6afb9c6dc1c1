/// The parts of a migration that take time, in order.
public enum TransferStage: Int, Hashable, Sendable, CaseIterable {
    case prepare, send, verify, restore

    /// The time that a byte of the package takes in this part, against sending it: an assumption that holds until the part itself was measured.
    var weight: Double {
        switch self {
        case .prepare: 0.1
        case .send: 1
        case .verify: 0.1
        case .restore: 0.2
        }
    }
}
