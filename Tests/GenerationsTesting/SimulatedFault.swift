package import Generations

/// What goes wrong on a simulated disk, once.
package enum SimulatedFault: Hashable, Sendable {
    /// The program ends at this call, counted from 1: the call does nothing, or half of a write, and every later one fails.
    case end(atCall: Int)
    /// This call and those behind it, `times` in all, fail with an error. Calls that cannot fail so pass.
    case fail(atCall: Int, times: Int, GenerationsError)
    /// This synchronization, counted from 1, does nothing and says that it did.
    case loseSynchronization(Int)
}

/// The ends of a program.
package enum SimulatedEnd: Hashable, Sendable {
    /// The program is killed; what it gave to the system is there.
    case kill
    /// The power goes: of what was not synchronized, any part is lost or torn, by this seed.
    case powerLoss(seed: UInt64)
}
