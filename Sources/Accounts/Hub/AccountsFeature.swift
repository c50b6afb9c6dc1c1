import Accounts
package import Capabilities
package import Control
import Foundation
import Kernel
package import Logging
package import Sealing
package import Transport

/// Accounts as a feature of a hub.
///
/// A feature that keeps more of people, such as chat, has one database with them: it lists ``AccountTables/migrations`` and
/// ``AccountsPolicy/settings`` in its own manifest, makes its ``Accounts`` with what it removes of a person, and passes on to one of these. A hub
/// lists either that feature or ``maker``, never both.
package struct AccountsFeature: ServedFeature {
    /// A hub that has people's accounts and nothing else for them.
    package static let maker = ServedFeatureMaker(
        FeatureManifest(
            "accounts",
            settings: AccountsPolicy.settings,
            ownMigrations: AccountTables.migrations,
            metrics: metrics
        )
    ) { AccountsFeature(try Accounts($0, policy: AccountsPolicy($0)), logger: $0.logger) }

    /// What is counted of people's accounts, for the manifest of the feature that has them.
    package static let metrics = [
        "accounts_created_total": "Accounts that were made.",
        "accounts_deleted_total": "Accounts that their people deleted.",
        "accounts_signed_in_total": "Sessions that began with a password or a code.",
        "accounts_refused_total": "Wrong passwords and codes.",
        "accounts_open": "Accounts that there are.",
        "accounts_sessions_open": "Devices that are signed in.",
    ]

    /// The people of this hub.
    package let accounts: Accounts
    private let logger: Logger

    package init(_ accounts: Accounts, logger: Logger) {
        self.accounts = accounts
        self.logger = logger
    }

    package var controlRoutes: [ControlRoute] { AccountsControl(accounts: accounts).routes }

    package func serverRoutes() throws -> RouteSet { try AccountRoutes(accounts: accounts, logger: logger).all() }

    package func knownDevices(_ keys: Set<DID>) async -> [DID: KnownDevice] {
        do {
            return try await accounts.knownDevices(keys)
        } catch {
            // Names are beside what was asked: without them the list of connections is as good.
            logger.warning("the names of devices could not be read", metadata: ["error": "\(error)"])
            return [:]
        }
    }

    package func checks() async -> [DoctorCheck] {
        [
            await .finding("Accounts") {
                let count = try await accounts.page(after: 0, limit: 1).total
                let who =
                    switch accounts.policy.admission {
                    case .nobody: "nobody may make one"
                    case .invitation: "new ones by invitation"
                    case .anybody: "anybody may make one"
                    }
                return ("\(count) people, \(who)", nil, nil)
            }
        ]
    }

    package var limits: [FeatureLimit] { AccountRate.limits }

    package func run() async { await accounts.run() }
    package func close() async { await accounts.close() }
}
