/// How far an own message has come. Raw values are the documented ones.
public enum MessageStatus: String, Hashable, Sendable, CaseIterable, Codable {
    case sending, success, failed

    /// Whether a message may go from here to `next`. A message that was sent stays sent: nothing that happens later on this device undoes it.
    public func allows(_ next: MessageStatus) -> Bool {
        switch (self, next) {
        // The last one is a manual resend, under the same id.
        case (.sending, .success), (.sending, .failed), (.failed, .sending): true
        // The answer to an attempt that was given up came by another way: the message is sent.
        case (.failed, .success): true
        default: false
        }
    }
}
