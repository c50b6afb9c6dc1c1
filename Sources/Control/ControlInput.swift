import AsyncAlgorithms
public import Kernel
import Synchronization

/// The input that a command sends after its request, one value at a time: the sender waits until each is taken.
public struct ControlInput: AsyncSequence, Sendable {
    public typealias Element = JSONValue
    /// Input ends; it does not fail.
    public typealias Failure = Never

    /// Takes one value after the other; for one reader.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: AsyncChannel<JSONValue>.Iterator

        public mutating func next() async -> JSONValue? { await values.next() }
    }

    fileprivate let values = AsyncChannel<JSONValue>()

    /// The input of a command that sends none: it has ended.
    public static var none: ControlInput {
        let input = ControlInput()
        input.values.finish()
        return input
    }

    public func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }
}

/// The inputs of one connection's running requests.
package final class ControlInputs: Sendable {
    private let inputs = Mutex<[Int: ControlInput]>([:])

    package init() {}

    /// A later request with the same id takes the place of an earlier one.
    package func open(_ id: Int) -> ControlInput {
        let input = ControlInput()
        inputs.withLock { $0.updateValue(input, forKey: id) }?.values.finish()
        return input
    }

    /// Input for a request that has ended is dropped: its result is on its way.
    package func send(_ value: JSONValue, to id: Int) async {
        guard let input = inputs.withLock({ $0[id] }) else { return }
        await input.values.send(value)
    }

    package func finish(_ id: Int) {
        inputs.withLock { $0[id] }?.values.finish()
    }

    /// Ends an input, and lets a sender go that still waits.
    package func close(_ id: Int, _ input: ControlInput) {
        input.values.finish()
        inputs.withLock { if $0[id]?.values === input.values { $0[id] = nil } }
    }
}
