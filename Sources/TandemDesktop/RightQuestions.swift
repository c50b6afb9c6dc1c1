import CommandServer
import Commands
import Rights
import Sealing
import Synchronization

/// The method by which phones ask for rights. It is served by the router before the owner's decisions have their place, which comes once all
/// parts are made.
final class RightQuestions: Sendable {
    private let administration = Mutex<PhoneAdministration?>(nil)

    func open(_ phones: PhoneAdministration) { administration.withLock { $0 = phones } }

    var methods: [RemoteMethod] {
        Method.askForRight.served { question, caller in
            guard let phones = self.administration.withLock(\.self), let phone = try? DID(caller.id) else {
                let message = "This computer takes no requests for rights now."
                throw RemoteFailure(code: FailureCode.unsupported, message: message)
            }
            return try await phones.ask(question.right, by: phone)
        }
    }
}
