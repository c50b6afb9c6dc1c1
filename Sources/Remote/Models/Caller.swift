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
    /// The skills this device was trusted with beyond what every paired device may do: namespaces such as `terminal`.
    public var allowedSkills: Set<String>

    public init(id: String, name: String, proof: Proof, allowedSkills: Set<String>) {
        self.id = id
        self.name = name
        self.proof = proof
        self.allowedSkills = allowedSkills
    }

    /// Somebody who is not paired.
    public static func stranger(_ id: String) -> Caller {
        Caller(id: id, name: "", proof: .stranger, allowedSkills: [])
    }
}
