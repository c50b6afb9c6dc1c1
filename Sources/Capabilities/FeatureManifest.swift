public import Rights
public import Sections
public import Storage

/// The facts about a feature that are there before it is made: what the role that has it needs to begin.
public struct FeatureManifest: Sendable {
    /// The feature's name, unique in a role: small letters, digits and hyphens, for example `files`.
    public let name: String
    /// The rights that its methods need.
    public let rights: [RightDeclaration]
    /// The settings that the owner can change for it in `config.json` and in the environment.
    public let settings: [FeatureSetting]
    /// The feature's tables in the role's database.
    public let migrations: [Migration]
    /// The feature's tables in a database of its own, for one that writes much: its context's database is that one then. Empty where it has none.
    public let ownMigrations: [Migration]
    /// Its parts of a phone's data, which move to a new phone.
    public let sections: [SectionDeclaration]
    /// Its tables and folders that stay on the phone where they are. Each of its tables and folders is in a section or here.
    public let leftBehind: [LeftBehind]
    /// A line for each of its metrics, by the name that it has in `/metrics`. Neither backslashes nor line feeds may stand in it.
    public let metrics: [String: String]

    public init(
        _ name: String,
        rights: [RightDeclaration] = [],
        settings: [FeatureSetting] = [],
        migrations: [Migration] = [],
        ownMigrations: [Migration] = [],
        sections: [SectionDeclaration] = [],
        leaving leftBehind: [LeftBehind] = [],
        metrics: [String: String] = [:]
    ) {
        self.name = name
        self.rights = rights
        self.settings = settings
        self.migrations = migrations
        self.ownMigrations = ownMigrations
        self.sections = sections
        self.leftBehind = leftBehind
        self.metrics = metrics
    }
}

/// A feature before it is made: what a composition lists. The system's services that it works with are inside.
public struct FeatureMaker<Context: Sendable, Feature: Sendable>: Sendable {
    public let manifest: FeatureManifest
    /// Makes the feature, once for each run of a role. Throws what keeps the role from starting, such as a damaged table.
    public let make: @Sendable (Context) throws -> Feature

    public init(_ manifest: FeatureManifest, _ make: @escaping @Sendable (Context) throws -> Feature) {
        self.manifest = manifest
        self.make = make
    }

    /// As with a manifest of these.
    public init(
        _ name: String,
        rights: [RightDeclaration] = [],
        settings: [FeatureSetting] = [],
        migrations: [Migration] = [],
        sections: [SectionDeclaration] = [],
        leaving leftBehind: [LeftBehind] = [],
        _ make: @escaping @Sendable (Context) throws -> Feature
    ) {
        let manifest = FeatureManifest(
            name,
            rights: rights,
            settings: settings,
            migrations: migrations,
            sections: sections,
            leaving: leftBehind
        )
        self.init(manifest, make)
    }
}

extension FeatureMaker {
    /// Makes the feature with its own storage.
    ///
    /// - Throws: Also what is wrong with that storage.
    package func make(in stores: FeatureStores, _ context: (FeatureStorage) -> Context) throws -> Feature {
        try make(context(stores.storage(of: manifest.name, own: manifest.ownMigrations)))
    }
}

/// A feature for any role: what a hub lists, and a computer that serves as one.
public typealias ServedFeatureMaker = FeatureMaker<FeatureContext, any ServedFeature>

extension Sequence<FeatureManifest> {
    /// The rights that features declare. Messages between phone and computer have been every phone's right since the first version.
    public var rights: RightsCatalogue { RightsCatalogue([.notification] + flatMap(\.rights)) }
}
