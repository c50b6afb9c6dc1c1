public import Kernel

/// A voice note.
public struct VoicePayload: CustomPayload {
    static let type = "audio"
    static let keys: Set = ["objectKey", "url", "expireAt", "durationSec", "waveform"]

    public var objectKey: String
    /// Where it can be fetched for a while; nil where it has to be signed first.
    public var url: String?
    /// Seconds since 1970; nil where the end of the address is not known.
    public var expireAt: Int64?
    /// Seconds, 1 to ``ChatLimits/voiceSeconds``; nil where the program did not say.
    public var durationSeconds: Int?
    /// Heights of the bars, 0 to 100, at most ``ChatLimits/waveform``. Ours; other programs draw none.
    public var waveform: [Int]
    /// Members of other programs.
    public var others: [String: JSONValue] = [:]

    public init(objectKey: String, durationSeconds: Int, waveform: [Int] = []) {
        self.objectKey = objectKey
        self.durationSeconds = durationSeconds
        self.waveform = waveform
    }

    init?(_ members: WireMembers) {
        objectKey = members.text("objectKey") ?? ""
        url = members.nonEmpty("url")
        guard !objectKey.isEmpty || url != nil else { return nil }
        expireAt = members.integer("expireAt").flatMap { $0 > 0 ? $0 : nil }
        durationSeconds = PayloadCheck.count(members.integer("durationSec"), upTo: Int(Int32.max))
        waveform =
            members.value("waveform")?.arrayValue?.compactMap { bar in
                WireMembers.integer(bar).map { Int(min(max($0, 0), 100)) }
            } ?? []
        others = Self.unknownMembers(of: members)
    }

    var known: JSONValue {
        .members([
            "objectKey": .string(objectKey), "url": url.map(JSONValue.string),
            "expireAt": expireAt.map(JSONValue.integer), "durationSec": durationSeconds.map(JSONValue.whole),
            "waveform": waveform.isEmpty ? Optional.none : .array(waveform.map(JSONValue.whole)),
        ])
    }

    func check() throws(ChatError) {
        try PayloadCheck.objectKey(objectKey)
        try PayloadCheck.text(url, "url", atMost: ChatLimits.url)
        if let durationSeconds, !(1...ChatLimits.voiceSeconds).contains(durationSeconds) {
            throw .tooLong("durationSec", limit: ChatLimits.voiceSeconds)
        }
        guard waveform.count <= ChatLimits.waveform else { throw .tooMany("waveform", limit: ChatLimits.waveform) }
    }
}
