import CAvahi
import Glibc
import Transport

/// Looks for services in one session, and follows their addresses while they are there.
final class AvahiSearch: AvahiRole {
    /// A service as one interface and protocol shows it.
    private struct Sighting: Hashable {
        let interface: AvahiIfIndex
        let version: AvahiProtocol
        let name: String
        let type: String
        let domain: String
    }

    private struct Resolution: Hashable {
        let record: ServiceRecord
        let address: String
        let port: UInt16
    }

    /// The key on which several sightings of one device agree. It holds the name too: the network lets no two devices have the same, so
    /// a stranger's claim of another device's id and key does not mix its addresses with theirs.
    private struct Claim: Hashable {
        let name: String
        let record: ServiceRecord
        let port: UInt16
    }

    /// Sightings followed at once. A device that floods the network with services fills this and no more.
    private static let sightingLimit = 256

    private let report: @Sendable (DiscoverySnapshot) -> Void
    private let fail: @Sendable (DiscoveryError) -> Void
    private var browser: OpaquePointer?
    private var resolvers: [Sighting: OpaquePointer] = [:]
    private var resolutions: [Sighting: Resolution] = [:]

    init(
        report: @escaping @Sendable (DiscoverySnapshot) -> Void,
        fail: @escaping @Sendable (DiscoveryError) -> Void
    ) {
        self.report = report
        self.fail = fail
    }

    func clientChanged(_ client: OpaquePointer, to state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            if browser == nil { start(client) }
        case AVAHI_CLIENT_CONNECTING:
            report(DiscoverySnapshot(state: .waiting(.daemonNotRunning)))
        default:
            break  // The daemon's host is getting its name, which a search does not need.
        }
    }

    private func start(_ client: OpaquePointer) {
        browser = avahi_service_browser_new(
            client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            ServiceAdvertisement.serviceType,
            nil,
            AvahiLookupFlags(0),
            { browser, interface, version, event, name, type, domain, _, context in
                guard let browser, let context else { return }
                let role = Unmanaged<AvahiSearch>.fromOpaque(context).takeUnretainedValue()
                if event == AVAHI_BROWSER_FAILURE { return role.browserFailed(browser) }
                guard let name, let type, let domain else { return }
                let sighting = Sighting(
                    interface: interface,
                    version: version,
                    name: String(cString: name),
                    type: String(cString: type),
                    domain: String(cString: domain)
                )
                switch event {
                case AVAHI_BROWSER_NEW: role.appeared(sighting, client: avahi_service_browser_get_client(browser))
                case AVAHI_BROWSER_REMOVE: role.disappeared(sighting)
                default: break
                }
            },
            // Unretained: the session holds this object and frees the browser and its resolvers first.
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard browser != nil else { return fail(AvahiSession.error(avahi_client_errno(client))) }
        publish()
    }

    private func browserFailed(_ browser: OpaquePointer) {
        fail(AvahiSession.error(avahi_client_errno(avahi_service_browser_get_client(browser))))
    }

    private func appeared(_ sighting: Sighting, client: OpaquePointer?) {
        guard let client, resolvers[sighting] == nil, resolvers.count < Self.sightingLimit else { return }
        // Kept for as long as the service is there: it then reports a changed address or record too.
        resolvers[sighting] = avahi_service_resolver_new(
            client,
            sighting.interface,
            sighting.version,
            sighting.name,
            sighting.type,
            sighting.domain,
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            AvahiLookupFlags(0),
            { _, interface, version, event, name, type, domain, _, address, port, entries, _, context in
                // Not found within avahi's five seconds: the resolver goes on, and says so when it is found later.
                guard event == AVAHI_RESOLVER_FOUND, let name, let type, let domain, let address, let context else {
                    return
                }
                let sighting = Sighting(
                    interface: interface,
                    version: version,
                    name: String(cString: name),
                    type: String(cString: type),
                    domain: String(cString: domain)
                )
                Unmanaged<AvahiSearch>.fromOpaque(context).takeUnretainedValue()
                    .resolved(sighting, address: AvahiSearch.text(of: address, on: interface), port, entries)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func disappeared(_ sighting: Sighting) {
        if let resolver = resolvers.removeValue(forKey: sighting) { _ = avahi_service_resolver_free(resolver) }
        if resolutions.removeValue(forKey: sighting) != nil { publish() }
    }

    private func resolved(
        _ sighting: Sighting,
        address: String,
        _ port: UInt16,
        _ list: UnsafeMutablePointer<AvahiStringList>?
    ) {
        // Avahi calls back for a resolver that was freed meanwhile only before the freeing; still, ask the table.
        guard resolvers[sighting] != nil else { return }
        // A damaged record is no device of ours; one that was good before and is damaged now is none any more.
        let record = try? ServiceRecord(entries: Self.entries(list))
        if let record, port > 0 {
            resolutions[sighting] = Resolution(record: record, address: address, port: port)
        } else {
            resolutions[sighting] = nil
        }
        publish()
    }

    private func publish() {
        var addresses: [Claim: [String]] = [:]
        for (sighting, found) in resolutions {
            addresses[Claim(name: sighting.name, record: found.record, port: found.port), default: []]
                .append(found.address)
        }
        let services = addresses.map { claim, addresses in
            DiscoveredService(record: claim.record, name: claim.name, addresses: addresses, port: claim.port)
        }
        let sorted = services.sorted { ($0.name, $0.deviceID, $0.port) < ($1.name, $1.deviceID, $1.port) }
        report(DiscoverySnapshot(state: .running, services: sorted))
    }

    private static func entries(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var next = list
        // One more than is allowed, so that the record's own check sees that there are too many.
        while let entry = next, entries.count <= ServiceRecord.countLimit {
            entries.append(
                Array(
                    UnsafeBufferPointer(
                        start: avahi_string_list_get_text(entry),
                        count: avahi_string_list_get_size(entry)
                    )
                )
            )
            next = avahi_string_list_get_next(entry)
        }
        return entries
    }

    private static func text(of address: UnsafePointer<AvahiAddress>, on interface: AvahiIfIndex) -> String {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            avahi_address_snprint(buffer.baseAddress, buffer.count, address).map { String(cString: $0) } ?? ""
        }
        // A link-local address means something together with its interface only.
        guard text.hasPrefix("fe80"), interface >= 0 else { return text }
        let zone = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            if_indextoname(UInt32(interface), buffer.baseAddress).map { String(cString: $0) }
        }
        return zone.map { "\(text)%\($0)" } ?? text
    }
}
