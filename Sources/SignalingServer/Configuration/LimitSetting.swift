/// One number of ``SignalingLimits`` that an operator may set, with its name and meaning. Settings, `tandem hub limits` and the
/// documents read this one list.
package struct LimitSetting: Sendable {
    /// In `config.json`; in the environment the same in capitals, `TANDEM_LIMIT_CONNECTIONS`.
    package let name: String
    /// The unit of the number: `sockets`, `bytes`, `seconds`, …
    package let unit: String
    /// One line for the operator: what is counted, and what happens beyond it.
    package let summary: String
    /// The largest value that may be set.
    private let most: Int
    private let get: @Sendable (SignalingLimits) -> Double
    private let put: @Sendable (inout SignalingLimits, Double) -> Void

    /// Rounded; values without a limit read as the largest number.
    package func value(in limits: SignalingLimits) -> Int {
        let value = get(limits).rounded()
        return Int(exactly: value) ?? .max
    }

    /// The values that may be set: with less the server would not serve at all, and with more its numbers would not fit.
    package var range: ClosedRange<Int> { (unit == "sockets kept free" ? 0 : 1)...most }

    /// - Returns: False for a value outside ``range``.
    package func set(_ value: Int, in limits: inout SignalingLimits) -> Bool {
        guard range.contains(value) else { return false }
        put(&limits, Double(value))
        return true
    }

    /// A count that a number with a fraction holds exactly, also a few thousand times as large.
    package static let mostCounted = 1_000_000_000_000
    /// Ten years: as nanoseconds that fits also where it is added to a date.
    private static let mostSeconds = 10 * 365 * 24 * 60 * 60
    /// A message is held in one buffer, which counts its bytes in 32 bits.
    private static let mostMessageBytes = 1024 * 1024 * 1024

    private static func count(
        _ name: String,
        _ unit: String,
        _ path: any WritableKeyPath<SignalingLimits, Int> & Sendable,
        _ summary: String,
        most: Int = LimitSetting.mostCounted
    ) -> LimitSetting {
        LimitSetting(
            name: name,
            unit: unit,
            summary: summary,
            most: most,
            get: { Double($0[keyPath: path]) },
            put: { $0[keyPath: path] = Int($1) }
        )
    }

    private static func seconds(
        _ name: String,
        _ path: any WritableKeyPath<SignalingLimits, Duration> & Sendable,
        _ summary: String
    ) -> LimitSetting {
        LimitSetting(
            name: name,
            unit: "seconds",
            summary: summary,
            most: mostSeconds,
            get: { Double($0[keyPath: path].components.seconds) },
            put: { $0[keyPath: path] = .seconds($1) }
        )
    }

    /// Two settings: how much on average, and how much at once.
    private static func rate(
        _ name: String,
        _ unit: String,
        per seconds: Double,
        _ path: any WritableKeyPath<SignalingLimits, RateLimit> & Sendable,
        _ summary: String
    ) -> [LimitSetting] {
        let period = seconds == 1 ? "a second" : "a minute"
        return [
            LimitSetting(
                name: name,
                unit: "\(unit) \(period)",
                summary: summary,
                most: mostCounted,
                get: { $0[keyPath: path].perSecond * seconds },
                put: { $0[keyPath: path].perSecond = $1 / seconds }
            ),
            LimitSetting(
                name: name + "Burst",
                unit: unit,
                summary: "The same, at once.",
                most: mostCounted,
                get: { $0[keyPath: path].burst },
                put: { $0[keyPath: path].burst = $1 }
            ),
        ]
    }

    /// In the order in which operators are shown them.
    package static let all: [LimitSetting] =
        [
            count(
                "limitConnections",
                "sockets",
                \.connections,
                "Open WebSockets; never more than descriptors less 256."
            ),
            count(
                "limitReservedConnections",
                "sockets kept free",
                \.reservedConnections,
                "Of these, kept free for paired phones."
            ),
            count(
                "limitNewcomerConnections",
                "sockets kept free",
                \.newcomerConnections,
                "Of the others, kept free for addresses that hold none."
            ),
            count(
                "limitConnectionsPerAddress",
                "sockets",
                \.connectionsPerAddress,
                "Open sockets of one address or /64."
            ),
            count(
                "limitArrivingConnections",
                "sockets",
                \.arrivingConnections,
                "Sockets without an id; the oldest gives way."
            ),
            count("limitHttpConnections", "connections", \.httpConnections, "HTTP connections; the oldest gives way."),
            seconds("limitHttpSeconds", \.httpLifetime, "How long an HTTP connection may stay."),
            count("limitAddresses", "addresses", \.addresses, "Addresses remembered by themselves."),
            seconds("limitHandshakeSeconds", \.handshakeTimeout, "From connecting to a whole request head."),
            seconds("limitRegistrationSeconds", \.registrationTimeout, "From the WebSocket handshake to registering."),
            count("limitMessageBytes", "bytes", \.messageBytes, "One message.", most: mostMessageBytes),
            count(
                "limitUnregisteredMessageBytes",
                "bytes",
                \.unregisteredMessageBytes,
                "One before registering.",
                most: mostMessageBytes
            ),
            count("limitArrivalBytes", "bytes", \.arrivalBytes, "Unfinished messages of all sockets."),
            seconds("limitArrivalSeconds", \.arrivalTimeout, "From a message's first byte to its last."),
            count("limitIdBytes", "bytes", \.idBytes, "One id."),
            count("limitDeviceInfoBytes", "bytes", \.deviceInfoBytes, "What a device tells of itself."),
            count("limitIdsPerSocket", "ids", \.idsPerSocket, "Ids of one socket."),
            count("limitRoutes", "routes", \.routes, "Routes of binary frames, each way for each socket."),
            count("limitOutgoingBytes", "bytes", \.outgoingBytes, "What waits for one slow reader."),
            count("limitTotalOutgoingBytes", "bytes", \.totalOutgoingBytes, "What waits for all slow readers."),
            count("limitMailboxFrames", "frames", \.mailboxFrames, "Kept for one id that is away."),
            count("limitMailboxes", "ids", \.mailboxes, "Ids for which frames are kept."),
            count("limitMailboxBytes", "bytes", \.mailboxBytes, "All frames that are kept."),
            count("limitMailboxFramesPerSender", "frames", \.mailboxFramesPerSender, "Kept of one sender."),
            LimitSetting(
                name: "limitUnprovenMailPercent",
                unit: "percent",
                summary: "Of mailboxes and bytes, for senders without a proof.",
                most: mostCounted,
                get: { $0.unprovenMailShare * 100 },
                put: { $0.unprovenMailShare = min(100, $1) / 100 }
            ),
            seconds("limitMailboxSeconds", \.mailboxLifetime, "How long a frame is kept."),
            count("limitUnwrittenBytes", "bytes", \.unwrittenBytes, "Frames on their way to the disk."),
            seconds("limitAliasSeconds", \.aliasLifetime, "How long a typed code is reachable."),
            seconds("limitChallengeSeconds", \.challengeLifetime, "How long a challenge can be answered."),
            count("limitContacts", "ids", \.contacts, "Ids whose presence one id is shown."),
            count("limitContactRows", "pairs", \.contactRows, "Pairs that are remembered."),
            seconds("limitContactSeconds", \.contactLifetime, "How long a pair is remembered."),
            count("limitKnownIds", "ids", \.knownIDs, "Ids that belong to a key."),
            count("limitIdsPerKey", "ids", \.idsPerKey, "Ids of one key."),
            seconds("limitIdSeconds", \.idLifetime, "How long an unused id belongs to its key."),
            seconds("limitPingSeconds", \.pingInterval, "Between two pings of the server."),
            seconds("limitCloseSeconds", \.closeTimeout, "From a close frame to the end."),
        ]
        + rate("limitSocketMessages", "messages", per: 1, \.socketMessages, "Messages of one socket.")
        + rate("limitSocketBytes", "bytes", per: 1, \.socketBytes, "Bytes of one socket.")
        + rate("limitAddressMessages", "messages", per: 1, \.addressMessages, "Messages of one address.")
        + rate(
            "limitAddressRegistrations",
            "registrations",
            per: 1,
            \.addressRegistrations,
            "Registrations of one address."
        )
        + rate("limitSocketAliases", "codes", per: 60, \.socketAliases, "Codes tried or shown by one socket.")
        + rate("limitAddressAliases", "codes", per: 60, \.addressAliases, "Codes tried or shown by one address.")
        + rate("limitAddressMailBytes", "bytes", per: 1, \.addressMailBytes, "Frames left waiting by one address.")
        + rate("limitAddressNewIds", "ids", per: 60, \.addressNewIDs, "New ids of one address.")
        + rate("limitAddressNewContacts", "pairs", per: 60, \.addressNewContacts, "New pairs of one address.")
}
