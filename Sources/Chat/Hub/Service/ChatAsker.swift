package import Accounts

/// A person on one of their devices, as a proven session says.
package struct ChatAsker: Hashable, Sendable {
    package let person: UserID
    package let device: String

    package init(_ person: UserID, device: String) {
        self.person = person
        self.device = device
    }
}
