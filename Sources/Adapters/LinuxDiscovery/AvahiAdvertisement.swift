import CAvahi
import Transport

/// Publishes one service in one session, under another name where its own is taken.
final class AvahiAdvertisement: AvahiRole {
    /// Names tried before giving up: "studio-pc", "studio-pc #2", …
    private static let nameLimit = 50

    private let advertisement: ServiceAdvertisement
    private let report: @Sendable (AdvertiserState) -> Void
    private let fail: @Sendable (DiscoveryError) -> Void
    private var name: String
    private var namesTried = 1
    private var group: OpaquePointer?

    init(
        _ advertisement: ServiceAdvertisement,
        report: @escaping @Sendable (AdvertiserState) -> Void,
        fail: @escaping @Sendable (DiscoveryError) -> Void
    ) {
        self.advertisement = advertisement
        self.report = report
        self.fail = fail
        name = advertisement.name
    }

    func clientChanged(_ client: OpaquePointer, to state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            publish(client)
        case AVAHI_CLIENT_S_COLLISION, AVAHI_CLIENT_S_REGISTERING:
            // The host is getting its name. Services point to it, so ours is published again afterwards.
            if let group { _ = avahi_entry_group_reset(group) }
            report(.starting)
        case AVAHI_CLIENT_CONNECTING:
            report(.waiting(.daemonNotRunning))
        default:
            break
        }
    }

    private func publish(_ client: OpaquePointer) {
        if group == nil {
            group = avahi_entry_group_new(
                client,
                { group, state, context in
                    guard let group, let context else { return }
                    let role = Unmanaged<AvahiAdvertisement>.fromOpaque(context).takeUnretainedValue()
                    role.groupChanged(group, to: state)
                },
                // Unretained: the session holds this object and frees the group first.
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
        guard let group else { return fail(AvahiSession.error(avahi_client_errno(client))) }
        var entries: UnsafeMutablePointer<AvahiStringList>?
        // Added at the front of the list, so in reverse.
        for entry in advertisement.text.reversed() { entries = avahi_string_list_add(entries, entry) }
        defer { avahi_string_list_free(entries) }
        var code: Int32
        repeat {
            code = avahi_entry_group_add_service_strlst(
                group,
                AvahiIfIndex(AVAHI_IF_UNSPEC),
                AvahiProtocol(AVAHI_PROTO_UNSPEC),
                AvahiPublishFlags(0),
                name,
                advertisement.type,
                nil,
                nil,
                advertisement.port,
                entries
            )
        } while code == AVAHI_ERR_COLLISION && takeNextName()
        if code == 0 { code = avahi_entry_group_commit(group) }
        if code != 0 { fail(AvahiSession.error(code)) }
    }

    private func groupChanged(_ group: OpaquePointer, to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            report(.advertised(name: name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            // Another device on the network has the name.
            guard takeNextName(), let client = avahi_entry_group_get_client(group) else {
                return fail(.refused(reason: "the name \(name) is taken"))
            }
            _ = avahi_entry_group_reset(group)
            publish(client)
        case AVAHI_ENTRY_GROUP_FAILURE:
            fail(AvahiSession.error(avahi_client_errno(avahi_entry_group_get_client(group))))
        default:
            break
        }
    }

    private func takeNextName() -> Bool {
        guard namesTried < Self.nameLimit, let next = avahi_alternative_service_name(name) else { return false }
        defer { avahi_free(next) }
        name = String(cString: next)
        namesTried += 1
        return true
    }
}
