/// What a frame of the sync socket asks or tells, by its number in existing gateways: an open set.
public struct FrameID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let newestSequences = FrameID(rawValue: 1001)
    public static let pullRanges = FrameID(rawValue: 1002)
    public static let send = FrameID(rawValue: 1003)
    public static let pullSequences = FrameID(rawValue: 1005)
    public static let readSequences = FrameID(rawValue: 1006)
    public static let lastMessages = FrameID(rawValue: 1007)
    public static let push = FrameID(rawValue: 2001)
    /// Another session took this one's place.
    public static let kicked = FrameID(rawValue: 2002)
    public static let logout = FrameID(rawValue: 2003)
    public static let background = FrameID(rawValue: 2004)
    public static let subscribePresence = FrameID(rawValue: 2005)
    public static let error = FrameID(rawValue: 3001)
}
