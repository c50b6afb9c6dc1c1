import CommandServer
import Commands
import Rights
import Sealing
import Synchronization

/// The method by which phones ask for rights. It is served by the router before the owner's decisions have their place, which comes once all
/// parts are made.
final class RightQuestions: Sendable {
    /// The owner's decisions hold the router, and that what is served here: held strongly they would keep a role that ended, and its folder's lock.
    private struct Decisions {
        weak var administration: PhoneAdministration?
    }

    private let decisions = Mutex(Decisions())

    func open(_ phones: PhoneAdministration) { decisions.withLock { $0.administration = phones } }

    var methods: [RemoteMethod] {
        Method.askForRight.served { question, caller in
            guard let phones = self.decisions.withLock(\.administration), let phone = try? DID(caller.id) else {
                let message = "This computer takes no requests for rights now."
                throw RemoteFailure(code: FailureCode.unsupported, message: message)
            }
            return try await phones.ask(question.right, by: phone)
        }
    }
}
