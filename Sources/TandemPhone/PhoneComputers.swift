import CommandClient
import Commands
import Kernel
import Rights
import Synchronization

/// The paired computers as the features of a phone find them. Features are made before their phone, which is made of them; it opens this once it is
/// there. The phone owns its features, so that they only know it.
final class PhoneComputers: PairedComputers {
    private struct Place {
        weak var phone: Phone?
    }

    private let place = Mutex(Place())

    func open(_ phone: Phone) { place.withLock { $0.phone = phone } }

    private var known: Phone? { place.withLock(\.phone) }

    /// - Throws: ``PhoneError/nothingPaired`` before the phone is there, and when it is gone.
    private var phone: Phone {
        get throws(PhoneError) {
            guard let phone = known else { throw .nothingPaired }
            return phone
        }
    }

    func peer(named name: String?) async throws -> any Peer { try await phone.peer(named: name) }

    func paired() -> AsyncStream<[PairedComputer]> { known?.paired() ?? AsyncStream { $0.finish() } }

    func advice(on right: Right, at computer: String) -> String? { known?.advice(on: right, at: computer) }

    var queue: OfflineCommandQueue { get async throws { try phone.queue } }

    func part<Part: ComputerPart>(_ type: Part.Type, forComputer id: String) async throws -> Part {
        try await phone.part(type, forComputer: id)
    }
}
