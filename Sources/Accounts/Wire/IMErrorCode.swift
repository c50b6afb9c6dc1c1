/// Error codes of OpenIM's interface, and four of ours that it has none for. An open set: a newer hub may tell others.
public struct IMErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// 0: no error.
    public static let none = IMErrorCode(rawValue: 0)
    public static let internalError = IMErrorCode(rawValue: 500)
    public static let badArguments = IMErrorCode(rawValue: 1001)
    public static let noPermission = IMErrorCode(rawValue: 1002)
    public static let duplicateKey = IMErrorCode(rawValue: 1003)
    public static let notFound = IMErrorCode(rawValue: 1004)
    public static let userNotFound = IMErrorCode(rawValue: 1101)
    public static let registeredAlready = IMErrorCode(rawValue: 1102)
    public static let blockedByPeer = IMErrorCode(rawValue: 1302)
    public static let notPeersFriend = IMErrorCode(rawValue: 1303)
    public static let readReceiptsDisabled = IMErrorCode(rawValue: 1401)
    public static let alreadyRevoked = IMErrorCode(rawValue: 1404)
    public static let tokenExpired = IMErrorCode(rawValue: 1501)
    public static let tokenInvalid = IMErrorCode(rawValue: 1502)
    public static let tokenMalformed = IMErrorCode(rawValue: 1503)
    public static let tokenNotYetValid = IMErrorCode(rawValue: 1504)
    public static let tokenUnknown = IMErrorCode(rawValue: 1505)
    public static let tokenKicked = IMErrorCode(rawValue: 1506)
    public static let tokenNotExisting = IMErrorCode(rawValue: 1507)
    public static let tooManyConnections = IMErrorCode(rawValue: 1601)
    public static let badConnectionArguments = IMErrorCode(rawValue: 1602)
    public static let uploadExpired = IMErrorCode(rawValue: 1701)
    public static let callbackFailed = IMErrorCode(rawValue: 80_000)
    public static let databaseError = IMErrorCode(rawValue: 90_002)
    public static let networkError = IMErrorCode(rawValue: 90_004)
    public static let dataError = IMErrorCode(rawValue: 90_007)

    // OpenIM has no codes for these; the numbers are those of HTTP, as 500 is.
    /// A sealed message names lists of devices that are not the newest ones.
    public static let outdatedList = IMErrorCode(rawValue: 409)
    public static let gone = IMErrorCode(rawValue: 410)
    public static let tooManyRequests = IMErrorCode(rawValue: 429)
    public static let insufficientStorage = IMErrorCode(rawValue: 507)

    private static let table: [Int: (name: String, status: Int)] = [
        0: ("", 200),
        409: ("OutdatedListError", 409),
        410: ("GoneError", 410),
        429: ("TooManyRequestsError", 429),
        500: ("ServerInternalError", 500),
        507: ("InsufficientStorageError", 507),
        1001: ("ArgsError", 400),
        1002: ("NoPermissionError", 403),
        1003: ("DuplicateKeyError", 409),
        1004: ("RecordNotFoundError", 404),
        1101: ("UserIDNotFoundError", 404),
        1102: ("RegisteredAlreadyError", 409),
        1302: ("BlockedByPeer", 403),
        1303: ("NotPeersFriend", 403),
        1401: ("MessageHasReadDisable", 403),
        1404: ("MsgAlreadyRevoke", 409),
        1501: ("TokenExpiredError", 401),
        1502: ("TokenInvalidError", 401),
        1503: ("TokenMalformedError", 401),
        1504: ("TokenNotValidYetError", 401),
        1505: ("TokenUnknownError", 401),
        1506: ("TokenKickedError", 401),
        1507: ("TokenNotExistError", 401),
        1601: ("ConnOverMaxNumLimit", 429),
        1602: ("ConnArgsErr", 400),
        1701: ("FileUploadedExpiredError", 410),
        80_000: ("CallbackError", 502),
        90_002: ("DatabaseError", 500),
        90_004: ("NetworkError", 502),
        90_007: ("DataError", 500),
    ]

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The word beside the code, for example `RecordNotFoundError`.
    public var name: String { Self.table[rawValue]?.name ?? "Error\(rawValue)" }

    /// The status of HTTP that goes with the code; 200 for none.
    public var status: Int { Self.table[rawValue]?.status ?? 500 }

    public var description: String { "\(rawValue) \(name)" }
}

extension IMErrorCode: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
