import Commands
package import Kernel

/// Why a port was not opened, allowed or forwarded. The description is shown to the person.
package enum PortError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A number that is no port.
    case noPort(Int64)
    /// The owner of the computer has not listed the port for this phone.
    case notAllowed(port: Int)
    /// The port is one of Tandem itself.
    case ownPort(Int)
    /// Nothing listens on the port at the computer.
    case nothingListens(port: Int)
    case tooManyConnections(limit: Int)
    case tooManyPorts(limit: Int)
    case longName(limit: Int)
    /// No phone of that name has the right.
    case noSuchPhone(String)
    /// The ids of the phones that may be meant.
    case severalPhones([String])
    /// The port is not in the list.
    case notListed(port: Int)
    /// The local port could not be listened on.
    case notListening(port: Int, reason: String)
    /// The computer did not answer in time.
    case noAnswer
    /// The computer speaks a protocol without frames.
    case notOffered
    case ended(PortReset)

    package var description: String {
        switch self {
        case .noPort(let number): "A port is a number from 1 to 65535, not \(number)."
        case .notAllowed(let port):
            "The computer's owner has not listed port \(port) for this phone. At the computer: tandem ports allow \(port)"
        case .ownPort(let port):
            "Port \(port) is one that Tandem itself listens on, which is never opened to phones. Name another port."
        case .nothingListens(let port):
            "Nothing at the computer listens on port \(port). Start the program there, then try again."
        case .tooManyConnections(let limit):
            "This phone has \(limit) connections to ports of the computer already. Close some of them."
        case .tooManyPorts(let limit):
            "\(limit) ports are listed already. Take one off the list with: tandem ports deny"
        case .longName(let limit): "A port's name has at most \(limit) bytes and one line. Give it a shorter one."
        case .noSuchPhone(let name):
            """
            No phone called \(name) may open ports here. Allow it that first: tandem devices allow <phone> ports.open
            """
        case .severalPhones(let ids):
            "Several phones have that name. Use one of the ids: \(ids.joined(separator: ", "))"
        case .notListed(let port): "Port \(port) is not in the list, so nothing was taken off it."
        case .notListening(let port, let reason):
            "This device could not listen on port \(port): \(reason). Name another one, or 0 for any."
        case .noAnswer: "The computer did not answer. Check that it is on and connected, then try again."
        case .notOffered: "This computer opens no ports. Update Tandem there."
        case .ended(let reset): reset.sentence
        }
    }
}

extension PortError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .noPort(let number):
            .code(FailureCode.badParameters, kind: .badRequest, reason: "noPort", ["port": .integer(number)])
        case .notAllowed(let port):
            .code(
                FailureCode.notAllowed,
                kind: .notAllowed,
                reason: "portNotAllowed",
                ["port": .integer(Int64(port))]
            )
        case .ownPort(let port):
            .code(FailureCode.notAllowed, reason: "portOwn", ["port": .integer(Int64(port))])
        case .nothingListens(let port):
            .code(
                FailureCode.notFound,
                kind: .notFound,
                reason: "portSilent",
                ["port": .integer(Int64(port))]
            )
        case .tooManyConnections(let limit):
            .code(FailureCode.busy, reason: "portConnections", ["limit": .integer(Int64(limit))])
        case .tooManyPorts(let limit): .kind(.full, reason: "portsFull", ["limit": .integer(Int64(limit))])
        case .longName(let limit):
            .kind(.badRequest, reason: "portName", ["limit": .integer(Int64(limit))])
        case .noSuchPhone(let name): .kind(.notFound, reason: "portPhone", ["name": .string(name)])
        case .severalPhones: .kind(.badRequest)
        case .notListed(let port): .kind(.notFound, reason: "portNotListed", ["port": .integer(Int64(port))])
        case .notListening(let port, _): .kind(.exists, reason: "portTaken", ["port": .integer(Int64(port))])
        case .noAnswer: .kind(.away, reason: "portNoAnswer")
        case .notOffered: .kind(.refused, reason: "portNotOffered")
        case .ended: .kind(.cancelled)
        }
    }
}
