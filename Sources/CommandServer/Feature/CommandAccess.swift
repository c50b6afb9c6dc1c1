package import Commands
package import Rights
package import Sealing
package import Transport

/// What a feature with a door of its own needs of its computer: the one way to every method, and what may be said there of the computer.
package struct CommandAccess: Sendable {
    package let router: CommandRouter
    /// What the computer's features serve.
    package let methods: [MethodDeclaration]
    package let rights: RightsCatalogue
    /// What keeps things going for callers, and ends when one of them may do less.
    package let keepers: [any ActivityKeeper]
    /// This computer's id at signaling servers.
    package let deviceID: String
    package let did: DID
    /// What other devices show.
    package let name: String

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
        accept: @escaping @Sendable (any Link) async -> Void
    ) {
        self.router = router
        self.methods = methods
        self.rights = rights
        self.keepers = keepers
        self.deviceID = deviceID
        self.did = did
        self.name = name
        self.accept = accept
    }
}
