import Feed
import Kernel

/// The latest events of a role, for all of its pages: each is the whole message, as it is sent.
typealias EventLog = FeedLog<[UInt8]>

extension EventLog {
    static var eventLimit: Int { 512 }
    static var byteLimit: Int { 1 << 20 }

    convenience init() { self.init(changeLimit: Self.eventLimit, byteLimit: Self.byteLimit) { $0.count } }

    func append(_ topic: String, _ data: JSONValue) {
        append { number in
            let message: JSONValue = ["seq": .integer(Int64(number)), "topic": .string(topic), "data": data]
            return message.canonicalBytes
        }
    }
}
