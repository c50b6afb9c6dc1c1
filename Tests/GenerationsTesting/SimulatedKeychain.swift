package import Generations
import Synchronization

/// A store of keys like a Keychain, where each call is whole and durable. Its calls are counted with the disk's.
package struct SimulatedKeychain: KeyStorePort {
    private let disk: SimulatedDisk

    package init(_ disk: SimulatedDisk) { self.disk = disk }

    package func key(named name: String) throws(GenerationsError) -> [UInt8]? {
        try disk.state.withLock { state throws(GenerationsError) in
            try disk.strike(.read, name, &state)
            return state.keychain[name]
        }
    }

    package func store(_ bytes: [UInt8], named name: String) throws(GenerationsError) {
        try disk.state.withLock { state throws(GenerationsError) in
            try disk.strike(.names, name, &state)
            state.keychain[name] = bytes
        }
    }

    package func remove(named name: String) throws(GenerationsError) {
        try disk.state.withLock { state throws(GenerationsError) in
            try disk.strike(.names, name, &state)
            state.keychain[name] = nil
        }
    }

    package func names(withPrefix prefix: String) throws(GenerationsError) -> [String] {
        try disk.state.withLock { state throws(GenerationsError) in
            try disk.strike(.read, prefix, &state)
            return state.keychain.keys.filter { $0.hasPrefix(prefix) }.sorted()
        }
    }
}
