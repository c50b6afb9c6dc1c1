package import Kernel

/// Why the page does not do something. The description is shown to the person: what happened, then what to do.
package enum PageError: ClassifiedError, Hashable, CustomStringConvertible {
    /// The page would be served to other machines.
    case notLoopback(address: String)
    case off(role: String)
    case cannotListen(role: String, address: String, port: Int, reason: String)
    case badLink
    case tooManyTries
    case noPicture
    case noScanner
    case pictureTooLarge(limit: Int)
    case malformedRequest(String)
    case tooManyFollows(limit: Int)
    case inputNotTaken
    case noSuchFollow
    case notHere(path: String)

    package var facts: FailureFacts {
        switch self {
        case .badLink: .kind(.expired)
        case .notLoopback, .malformedRequest, .noPicture, .noSuchFollow: .kind(.badRequest)
        case .off, .cannotListen, .tooManyTries, .noScanner, .tooManyFollows: .kind(.refused)
        case .pictureTooLarge, .inputNotTaken: .kind(.tooLarge)
        case .notHere: .kind(.notFound)
        }
    }

    package var description: String {
        switch self {
        case .notLoopback(let address):
            """
            The page is served to this machine only, and \(address) is an address that others reach. Use 127.0.0.1:PORT or \
            [::1]:PORT; from another machine go through SSH: ssh -L 8700:127.0.0.1:8700 HOST
            """
        case .off(let role):
            "This \(role) serves no page. Start it without --page off: tandem \(role) --page 127.0.0.1:0"
        case .cannotListen(let role, let address, let port, let reason):
            """
            The page is not served: \(address):\(port) cannot be used, \(reason). Choose another port: \
            tandem \(role) --page \(address):0
            """
        case .badLink: "The link was used already, or is older than two minutes. Get a new one with: tandem page"
        case .tooManyTries: "Too many wrong links in a short time. Wait a minute, then get a new one with: tandem page"
        case .noPicture: "There is no picture in the request. Send one as the request's body."
        case .noScanner: "No pictures are read here. Type the digits, or scan on the other device."
        case .pictureTooLarge(let limit): "A picture is at most \(limit >> 20) MiB here. Send a smaller one."
        case .malformedRequest(let expected): "The request cannot be read: \(expected) is expected."
        case .tooManyFollows(let limit): "\(limit) methods are followed on this connection already. End one of them."
        case .inputNotTaken: "What was typed is not taken fast enough. Wait a moment, then begin again."
        case .noSuchFollow: "Nothing is followed under that number."
        case .notHere(let path): "There is nothing at \(path.prefix(100))."
        }
    }
}
