import Kernel

/// The numbers of the lists of devices that a sealed message is for: what the hub has to know of it.
package struct ListNumbers: Hashable, Sendable {
    package let sender: Int64
    package let receiver: Int64

    package init(sender: Int64, receiver: Int64) {
        self.sender = sender
        self.receiver = receiver
    }

    /// Nil for a sealed form that is not ours, which passes untouched.
    init?(sealed members: JSONValue) {
        guard members["v"] == 1, let list = members["list"]?.arrayValue, list.count == 2,
            let sender = list[0].integerValue, let receiver = list[1].integerValue
        else { return nil }
        self.init(sender: sender, receiver: receiver)
    }
}
