/// How much a chat's wire may carry. Texts are counted in bytes of UTF-8.
///
/// A frame of existing gateways holds 51,200 bytes and carries a message's content as base64: 32 KiB of content are 43,692 bytes there, and leave
/// 7,508 for all other members.
public enum ChatLimits {
    /// A typed text, and the words that a push shows of it.
    public static let text = 16 << 10
    /// A message's content as JSON, of any type but the sealed one.
    public static let content = 32 << 10
    /// A sealed message's content: 64 KiB inside, as base64url, with the envelopes of 64 devices.
    public static let sealedContent = 128 << 10
    /// One list of an account's devices, and a chat key with its signature.
    public static let listOfDevices = 24 << 10
    public static let chatKey = 2 << 10
    /// Entries of one person's chain in one answer, and the bytes of all.
    public static let chainEntries = 64
    public static let chainBytes = 128 << 10
    /// Chat keys of one person in one answer: two of each of 32 devices.
    public static let chatKeys = 64
    /// An offer of history to another device, the objects that it is about, and the offers of one account.
    public static let handoverOffer = 4 << 10
    public static let handoverObjects = 1025
    public static let handovers = 8
    /// A message's id as its sender chose it.
    public static let messageID = 128
    /// A person's name, a push's title.
    public static let name = 256
    /// An address.
    public static let url = 2048
    /// An object's key, which is a file's name on clients. Source: rule M2.
    public static let objectKey = 200
    /// Pictures of one message.
    public static let pictures = 9
    /// A signal, or the reply to it.
    public static let signalText = 4 << 10
    /// `ex` and `attachedInfo`: what apps keep beside a message.
    public static let appData = 1 << 10
    /// Seconds of a voice note.
    public static let voiceSeconds = 60
    /// Bars of a voice note's waveform.
    public static let waveform = 64
    /// A message's place in its conversation: the largest number that a program in JavaScript reads without loss.
    public static let place: Int64 = 9_007_199_254_740_991
    /// Pixels of a side.
    public static let side = 100_000
    /// Messages of one history page of ours, and of a screen's. Source: rule C1.
    public static let page = 40
    /// Messages that one pull may ask for.
    public static let pull = 500
    /// Conversations that one request may name.
    public static let conversations = 1000
    /// Sequence numbers that one request may name.
    public static let sequences = 1000
    /// Events that one answer holds.
    public static let events = 500
    /// The words of a search, and those of a report.
    public static let query = 512
    public static let reason = 2 << 10
    /// People that one request may name.
    public static let people = 100
    /// A frame of existing gateways and their clients.
    public static let frame = 51_200
    /// A frame between two of our own ends, which carries sealed messages, too.
    public static let ownFrame = 256 << 10
}
