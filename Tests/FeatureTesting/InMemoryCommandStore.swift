package import CommandClient
package import Commands
package import Foundation
package import Kernel

/// Commands that wait in memory.
package struct InMemoryCommandStore: OfflineCommandStore {
    private let live = LatestValue<[OfflineCommand]>([], capacity: 256)

    package init() {}

    package func all() -> [OfflineCommand] { live.value }
    package func list() -> AsyncStream<[OfflineCommand]> { live.values() }

    package func add(_ command: OfflineCommand, capacity: Int) -> OfflineCommand? {
        change { list in
            guard !list.contains(where: { $0.id == command.id }) else { return nil }
            var evicted: OfflineCommand?
            if list.count >= capacity {
                let index = list.firstIndex { $0.status == .pending } ?? list.firstIndex { $0.status == .failed }
                evicted = index.map { list.remove(at: $0) }
            }
            list.append(command)
            return evicted
        }
    }

    package func update(_ id: UUID, _ change: @escaping @Sendable (inout OfflineCommand) -> Void) -> OfflineCommand? {
        self.change { list in
            guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
            change(&list[index])
            return list[index]
        }
    }

    package func remove(_ id: UUID) -> OfflineCommand? {
        change { list in list.firstIndex { $0.id == id }.map { list.remove(at: $0) } }
    }

    package func removeAll(for desktopID: String?) -> Int {
        change { list in
            let before = list.count
            list.removeAll { desktopID == nil || $0.desktopID == desktopID }
            return before - list.count
        }
    }

    private func change<Value>(_ work: (inout [OfflineCommand]) -> Value) -> Value {
        var value: Value?
        live.update { value = work(&$0) }
        guard let value else { preconditionFailure("the change runs before update returns") }
        return value
    }
}

extension OfflineCommandQueue {
    /// One that keeps nothing on a disk.
    package static func inMemory(_ methods: [MethodDeclaration] = [], time: any TimeSource = .system)
        -> OfflineCommandQueue
    {
        OfflineCommandQueue(store: InMemoryCommandStore(), policy: RemoteCallPolicy(methods), time: time)
    }
}
