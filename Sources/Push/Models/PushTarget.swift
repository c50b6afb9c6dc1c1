/// Where a push message goes.
package enum PushTarget: Hashable, Sendable {
    case web(WebPushSubscription)
    case apns(APNsDevice)

    /// The push service's protocol.
    package enum Kind: String, Hashable, Sendable { case web, apns }

    package var kind: Kind {
        switch self {
        case .web: .web
        case .apns: .apns
        }
    }
}
