package import Rights

/// The caller of a method, as far as its identity was proved. Every door makes one for each device that comes, and the gate decides.
package struct Caller: Hashable, Sendable {
    /// The proof of the caller's identity.
    package enum Proof: Hashable, Sendable {
        /// The message came through a sealed session with the key that was paired.
        case session
        /// A program showed a token that the owner had made, over the bridge.
        case token
        /// A documented-only peer, known by the id the relay gave; its owner allowed that.
        case clear
        /// Paired with sealing, yet this came outside the session: anybody could have written it.
        case unsealed
        /// Not paired.
        case stranger
    }

    /// The paired device's id; of a stranger the id that it claims.
    package var id: String
    /// For the log and the person: the paired device's name.
    package var name: String
    /// How sure it is that the caller is this device.
    package var proof: Proof
    /// The rights of this device beyond those that every paired device has.
    package var rights: Set<Right>
    /// The part of these rights that may be used without a session and without a signature, by the way that this came.
    package var unsignedRights: Set<Right>

    package init(id: String, name: String, proof: Proof, rights: Set<Right>, unsignedRights: Set<Right> = []) {
        self.id = id
        self.name = name
        self.proof = proof
        self.rights = rights
        self.unsignedRights = unsignedRights
    }

    /// Whether this device was allowed one right.
    package func may(_ right: Right) -> Bool { rights.contains(right) }

    /// Whether this device was allowed what a method asks for.
    package func may(_ permission: Permission) -> Bool { !rights.isDisjoint(with: permission.rights) }

    /// Whether it may be asked for here without a signature.
    package func mayUnsigned(_ permission: Permission) -> Bool { !unsignedRights.isDisjoint(with: permission.rights) }

    /// A device that is not paired.
    package static func stranger(_ id: String) -> Caller {
        Caller(id: id, name: "", proof: .stranger, rights: [])
    }
}
