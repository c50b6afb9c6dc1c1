package import Commands
package import Rights
package import Transfers

extension Right {
    package static let fileRead: Right = "file.read"
    package static let fileWrite: Right = "file.write"
}

extension RightDeclaration {
    package static let fileRead = RightDeclaration(
        .fileRead,
        "read all documents you share",
        risk: .privileged,
        weight: 60,
        group: "file",
        onlyLooks: true,
        // Reading changes nothing at the computer, and a relay that carries unsealed answers sees them anyway.
        needsDirectWay: false
    )

    package static let fileWrite = RightDeclaration(
        .fileWrite,
        "add, replace, rename and delete all documents you share",
        risk: .privileged,
        weight: 70,
        group: "file",
        namespaces: ["file"]
    )
}

extension Permission {
    package static let fileRead = Permission(.fileRead)
    package static let fileWrite = Permission(.fileWrite)
    /// The permission of a phone with either right: whether a name is there, and its own transfers.
    package static let anyFile = Permission(anyOf: [.fileRead, .fileWrite], group: "file")
}

extension TransferFrame {
    /// The right that a phone must have to be sent this. Nil for what tells nothing of a file.
    package var rightToReceive: Right? {
        switch content {
        case .data, .want: .fileRead
        case .taken: .fileWrite
        case .refused, .connect, .offer: nil
        }
    }
}
