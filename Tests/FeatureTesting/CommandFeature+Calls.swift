package import CommandServer
package import Commands
package import Kernel
import Rights

extension Caller {
    package static let ada = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, rights: ofPhones)
    package static let bo = Caller(id: "did:key:z6MkB", name: "Bo's phone", proof: .session, rights: ofPhones)
    private static let ofPhones: Set<Right> = [.notification, .notificationAll]
}

extension CommandFeature {
    /// As the router calls it.
    package func call(
        _ name: String,
        _ params: JSONValue = [:],
        as caller: Caller = .ada
    ) async throws -> JSONValue {
        guard let method = methods.first(where: { $0.name == name }) else {
            throw RemoteFailure(code: FailureCode.unknownMethod, message: name)
        }
        return try await method.run(RemoteParameters(params), caller)
    }

    /// What a call is refused with; nil when it is not.
    package func refusal(
        _ name: String,
        _ params: JSONValue = [:],
        as caller: Caller = .ada
    ) async throws -> RemoteFailure? {
        do {
            _ = try await call(name, params, as: caller)
            return nil
        } catch let failure as RemoteFailure {
            return failure
        }
    }
}
