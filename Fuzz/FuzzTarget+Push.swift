import Foundation
import Kernel
import Push

extension FuzzTarget {
    /// What a device says its subscription is: what is taken leads to an ordinary origin, can be written and read again, and can be encrypted for.
    static let pushSubscription = FuzzTarget(name: "push-subscription") { bytes in
        guard let json = try? JSONValue(parsing: bytes), let subscription = try? WebPushSubscription(json) else {
            return
        }
        guard let again = try? WebPushSubscription(subscription.json), again == subscription else {
            finding("a subscription that changes")
        }
        let endpoint = subscription.endpoint
        guard endpoint.origin.isOrdinary, endpoint.origin.port == 443, endpoint.origin.host.contains(".") else {
            finding("an origin that no push service has")
        }
        guard endpoint.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !endpoint.text.contains("#") else {
            finding("an address that breaks a request")
        }
        // Another reader of addresses finds the same host.
        guard URLComponents(string: endpoint.text)?.host.map({ $0.lowercased() == endpoint.origin.host }) ?? true else {
            finding("an address with two hosts")
        }
        guard let body = try? WebPushMessage.seal([1], for: subscription), body.count == 86 + 512 + 17 else {
            finding("a subscription that cannot be encrypted for")
        }
    }

    /// When a push service asks to be tried again: never longer than an hour, never in the past.
    static let retryAfter = FuzzTarget(name: "retry-after") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        for date in [0, 784_111_777, 1_790_000_000, 4_102_444_800] {
            let wait = RetryAfter.parse(text, now: Date(timeIntervalSince1970: TimeInterval(date)))
            if let wait, wait < .zero || wait > RetryAfter.longest { finding("a wait out of bounds") }
        }
    }
}
