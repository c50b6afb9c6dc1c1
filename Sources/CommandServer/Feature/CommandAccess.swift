package import Commands
package import Rights
package import Sealing
package import Transport

/// The access of a feature with a door of its own: the one way to every method, and the facts about the computer that it may tell there.
package struct CommandAccess: Sendable {
    package let router: CommandRouter
    /// The methods that the computer's features serve.
    package let methods: [MethodDeclaration]
    package let rights: RightsCatalogue
    /// The skills that keep things going for callers, and end them when a caller may do less.
    package let keepers: [any ActivityKeeper]
    /// This computer's id at signaling servers.
    package let deviceID: String
    package let did: DID
    /// The computer's name, as other devices show it.
    package let name: String
    /// The address on which this computer's own server listens, in numbers; `0.0.0.0` for every interface.
    package let address: String

    /// Serves one more way to paired phones: what comes on it is opened with the keys that were paired, or answered that it is not.
    package let accept: @Sendable (any Link) async -> Void

    package init(
        router: CommandRouter,
        methods: [MethodDeclaration],
        rights: RightsCatalogue,
        keepers: [any ActivityKeeper] = [],
        deviceID: String,
        did: DID,
        name: String,
        address: String,
        accept: @escaping @Sendable (any Link) async -> Void
    ) {
        self.router = router
        self.methods = methods
        self.rights = rights
        self.keepers = keepers
        self.deviceID = deviceID
        self.did = did
        self.name = name
        self.address = address
        self.accept = accept
    }
}
