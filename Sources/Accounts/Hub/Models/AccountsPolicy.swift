package import Capabilities
import Kernel

/// Who may make an account at a hub.
package enum Admission: String, Hashable, Sendable, CaseIterable {
    case nobody, invitation, anybody

    /// For sentences.
    static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The rules of a hub's accounts.
package struct AccountsPolicy: Sendable {
    package static let settings = [
        FeatureSetting(
            "accounts",
            .text,
            summary: "Who may make an account at this hub: nobody, invitation (the default) or anybody."
        ),
        FeatureSetting(
            "accountsFindable",
            .flag,
            summary: "Whether people at this hub find each other by exact names (true)."
        ),
    ]

    /// The most devices of a person: the one that was seen longest ago gives way to another.
    static let deviceLimit = 32
    /// A device that was not seen for so long is signed out.
    static let idleLimit = Duration.seconds(90 * 86_400)
    /// The time in which a challenge has to be signed.
    static let challengeLifetime = Duration.seconds(120)
    static let challengeLimit = 16_384
    /// The time for which the name of a deleted account is not given to another person.
    static let nameRest = Duration.seconds(30 * 86_400)

    package var admission: Admission
    /// Whether a person is found by their exact name.
    package var isFindable = true
    /// The cost of passwords that are set from now on.
    package var scrypt: ScryptParameters

    package init(admission: Admission = .invitation, scrypt: ScryptParameters = .standard) {
        self.admission = admission
        self.scrypt = scrypt
    }

    /// - Throws: ``AccountsError/badSetting(_:)``.
    package init(_ context: FeatureContext) throws(AccountsError) {
        self.init()
        if case .bool(let isOn)? = context.settings["accountsFindable"] { isFindable = isOn }
        guard let text = context.settings["accounts"]?.stringValue else { return }
        guard let admission = Admission(rawValue: text) else { throw .badSetting(text) }
        self.admission = admission
    }
}
