import Capabilities

/// How often accounts are asked for, by what is counted.
enum AccountRate: CaseIterable, Sendable {
    /// Requests without a token, of one address.
    case addresses
    /// Requests with a token, of one person.
    case people
    /// Questions who has a name, of one person and of one address.
    case finders, findingAddresses
    /// New accounts where anybody may make one, of one address.
    case newcomers

    var burst: Double {
        switch self {
        case .addresses: 60
        case .people: 120
        case .finders: 30
        case .findingAddresses: 60
        case .newcomers: 5
        }
    }

    /// What comes back in an hour.
    var perHour: Double {
        switch self {
        case .addresses: 7200
        case .people: 14_400
        case .finders: 180
        case .findingAddresses: 360
        case .newcomers: 6
        }
    }

    var buckets: KeyedBuckets { KeyedBuckets(capacity: burst, refillPerSecond: perHour / 3600) }

    private var words: (name: String, what: String) {
        switch self {
        case .addresses: ("accountRequestsOfAddress", "Requests about accounts without a token, of one address")
        case .people: ("accountRequestsOfPerson", "Requests about accounts with a token, of one person")
        case .finders: ("accountFindsOfPerson", "Questions who has a name, of one person")
        case .findingAddresses: ("accountFindsOfAddress", "Questions who has a name, of one address")
        case .newcomers: ("accountsOfAddress", "New accounts without an invitation, of one address")
        }
    }

    /// For the list of a hub's limits. They cannot be set.
    static var limits: [FeatureLimit] {
        allCases.flatMap { rate in
            let (name, what) = rate.words
            return [
                FeatureLimit(name + "Burst", Int(rate.burst), unit: "at once", summary: "\(what): 429 beyond it."),
                FeatureLimit(name, Int(rate.perHour), unit: "an hour", summary: "\(what), on average."),
            ]
        } + [
            FeatureLimit(
                "accountDevices",
                AccountsPolicy.deviceLimit,
                unit: "devices",
                summary: "Devices of a person: the one seen longest ago gives way."
            )
        ]
    }
}
