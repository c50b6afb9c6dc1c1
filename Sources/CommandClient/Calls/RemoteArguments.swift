import Commands
import Kernel

/// The check of arguments before anything is sent.
enum RemoteArguments {
    /// - Throws: ``RemoteError/invalidArgument(_:)``.
    static func check(method: String, params: JSONValue) throws(RemoteError) {
        guard (1...CommandRequest.methodLimit).contains(method.utf8.count),
            method.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .invalidArgument("a method is 1 to \(CommandRequest.methodLimit) letters, for example system.ping")
        }
        guard params.objectValue != nil else { throw .invalidArgument("the parameters of \(method) must be an object") }
    }

    /// - Throws: ``RemoteError/invalidArgument(_:)``.
    static func check(_ request: CommandRequest, timeout: Duration) throws(RemoteError) {
        try check(method: request.method, params: request.params)
        guard (1...CommandRequest.idLimit).contains(request.id.utf8.count) else {
            throw .invalidArgument("a request id has 1 to \(CommandRequest.idLimit) bytes")
        }
        guard timeout > .zero else { throw .invalidArgument("the time to wait for an answer must be above 0") }
    }
}
