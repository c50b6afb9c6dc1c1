public import Rights

/// Who asks, as far as it was proved. Every door makes one of whoever comes, and the gate decides.
public struct Caller: Hashable, Sendable {
    /// What stands behind the claim.
    public enum Proof: Hashable, Sendable {
        /// The message came through a sealed session with the key that was paired.
        case session
        /// A documented-only peer, known by the id the relay gave; its owner allowed that.
        case clear
        /// Paired with sealing, yet this came outside the session: anybody could have written it.
        case unsealed
        /// Not paired.
        case stranger
    }

    public var id: String
    /// For the log and the person: the paired device's name.
    public var name: String
    public var proof: Proof
    /// What this device was trusted with beyond what every paired device may do: raw values of ``Right``.
    public var allowedSkills: Set<String>
    /// Of these, what may be used without a session and without a signature, by the way that this came.
    public var unsignedSkills: Set<String>

    public init(
        id: String,
        name: String,
        proof: Proof,
        allowedSkills: Set<String>,
        unsignedSkills: Set<String> = []
    ) {
        self.id = id
        self.name = name
        self.proof = proof
        self.allowedSkills = allowedSkills
        self.unsignedSkills = unsignedSkills
    }

    /// Whether this device was allowed what a method or a message asks for.
    ///
    /// - Parameter permission: A right's name, or a group's such as `file`, which each of its rights opens.
    public func may(_ permission: String) -> Bool {
        Self.opens(permission, allowedSkills)
    }

    /// Whether it may be asked for here without a signature.
    package func mayUnsigned(_ permission: String) -> Bool { Self.opens(permission, unsignedSkills) }

    private static func opens(_ permission: String, _ rights: Set<String>) -> Bool {
        rights.contains(permission) || Right.named(permission)?.contains { rights.contains($0.rawValue) } == true
    }

    public func may(_ right: Right) -> Bool { allowedSkills.contains(right.rawValue) }

    /// Somebody who is not paired.
    public static func stranger(_ id: String) -> Caller {
        Caller(id: id, name: "", proof: .stranger, allowedSkills: [])
    }
}
