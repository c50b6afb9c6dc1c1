import Sealing
import Synchronization

/// The keys whose frames the computer's own server takes at any rate: the paired phones' and the computer's own.
///
/// The rates protect from strangers on the network. A paired phone may fill the network with a file, and is slowed down by its
/// session alone, which takes no more than can be handled.
final class UnmeteredKeys: Sendable {
    private let own: DID
    private let phones = Mutex<Set<DID>>([])

    init(own: DID) { self.own = own }

    func contains(_ key: DID) -> Bool { key == own || phones.withLock { $0.contains(key) } }

    /// Whether the own server keeps frames for this id while it is away: the computer's and its paired phones' are kept. Others use a hub.
    func keepsMail(_ id: String, deviceID: String) -> Bool {
        id == deviceID || (try? DID(id)).map(contains) ?? false  // an id that is no DID is no phone's
    }

    func set(_ keys: some Sequence<DID>) {
        let keys = Set(keys)
        phones.withLock { $0 = keys }
    }
}
