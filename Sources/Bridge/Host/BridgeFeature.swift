import Bridge
package import Capabilities
package import CommandServer
package import Control
import Crypto
import Foundation
import Kernel
import Logging
import Principals
import Rights
import Sealing
import Storage
import Synchronization
package import Transport

/// Where the bridge listens.
package struct BridgeListening: Hashable, Sendable {
    /// In numbers; `0.0.0.0` for every interface.
    package let address: String
    /// 0 for any free one.
    package let port: Int

    package init(address: String, port: Int = BridgeMessage.port) {
        self.address = address
        self.port = port
    }

    /// Whether no other machine gets there, so that there is nothing to announce.
    package var isOnlyThisMachine: Bool {
        address == "localhost" || NetworkScope(literal: address)?.isLoopback ?? false
    }
}

/// The bridge at a computer: the documented protocol of port 9099 as one door more to what the computer serves.
package final class BridgeFeature: CommandFeature {
    /// The DNS-SD type that documented phones look for.
    static let serviceType = "_openagents._tcp"
    private static let keyName = "bridge-tls.pem"

    private struct Opened {
        let access: CommandAccess
        let door: BridgeDoor
        let server: DesktopWebSocketServer?
    }

    private let listening: BridgeListening?
    private let context: CommandContext
    private let tokens: BridgeTokens
    private let codes: BridgeCodes
    private let places = BridgePlaces()
    private let identity: TLSIdentity?
    private let notifier: (any DesktopNotifier)?
    private let advertiser: (any ServiceAdvertiser)?
    private let isOwn: @Sendable (LoopbackPeer) -> Bool
    private let opened = Mutex<Opened?>(nil)

    package static let manifest = FeatureManifest(
        "bridge",
        settings: [
            FeatureSetting(
                "bridgePlain",
                .flag,
                summary: "Whether the local network may use the bridge without TLS; this machine always may."
            ),
            FeatureSetting(
                "bridgeNames",
                .text,
                summary:
                    "Names of this computer for the bridge beside addresses, .local and .ts.net, with commas between."
            ),
            FeatureSetting(
                "bridgeOrigins",
                .text,
                summary: "Sites whose pages may use the bridge, as https://app.example.org, with commas between."
            ),
            FeatureSetting(
                "bridgeDevToken",
                .flag,
                summary: "Whether this account's programs may use the bridge with the token OA_DEV_TOKEN."
            ),
        ],
        migrations: BridgeTokens.migrations
    )

    /// - Parameters:
    ///   - listening: Nil: it is off, and only its tokens can be looked at.
    ///   - advertiser: Lets phones on the network find it; nil leaves that out.
    ///   - isOwn: Whether a connection of this machine is of a program of this process's user.
    package static func maker(
        listening: BridgeListening?,
        notifier: (any DesktopNotifier)? = nil,
        advertiser: (any ServiceAdvertiser)? = nil,
        isOwn: @escaping @Sendable (LoopbackPeer) -> Bool = { $0.isOwn() }
    ) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            try BridgeFeature(
                context,
                listening: listening,
                notifier: notifier,
                advertiser: advertiser,
                isOwn: isOwn
            )
        }
    }

    private init(
        _ context: CommandContext,
        listening: BridgeListening?,
        notifier: (any DesktopNotifier)?,
        advertiser: (any ServiceAdvertiser)?,
        isOwn: @escaping @Sendable (LoopbackPeer) -> Bool
    ) throws {
        self.isOwn = isOwn
        self.context = context
        self.listening = listening
        self.notifier = notifier
        self.advertiser = advertiser
        tokens = try BridgeTokens(context.database)
        codes = BridgeCodes(time: context.time)
        identity = try listening.map { _ in
            try SelfSignedCertificate.identity(
                // In memory it lasts as long as the process.
                for: Self.key(in: context.storage.state),
                name: "tandem-bridge",
                now: context.time.date
            )
        }
    }

    /// Its key, which phones pin: made once.
    static func key(in folder: StateFolder?) throws -> P256.Signing.PrivateKey {
        if let bytes = try folder?.readKey(keyName) {
            return try P256.Signing.PrivateKey(pemRepresentation: String(decoding: bytes, as: UTF8.self))
        }
        let key = P256.Signing.PrivateKey()
        try folder?.writeKey(keyName, Array(key.pemRepresentation.utf8))
        return key
    }

    package func open(_ access: CommandAccess) {
        let door = BridgeDoor(
            .init(
                tokens: tokens,
                codes: codes,
                places: places,
                callers: context.callers,
                takesDevelopersToken: context.settings["bridgeDevToken"]?.boolValue ?? false,
                isOwn: isOwn,
                notifier: notifier,
                time: context.time,
                logger: context.logger
            ),
            access: access
        )
        let server = listening.map { listening in
            DesktopWebSocketServer(
                .init(
                    address: listening.address,
                    port: listening.port,
                    identity: identity,
                    rules: BridgeRules(
                        names: list("bridgeNames"),
                        origins: list("bridgeOrigins"),
                        allowsPlain: allowsPlain
                    )
                ),
                door: door,
                places: places,
                time: context.time,
                logger: context.logger
            )
        }
        opened.withLock { $0 = Opened(access: access, door: door, server: server) }
    }

    private func list(_ setting: String) -> Set<String> {
        let names = (context.settings[setting]?.stringValue ?? "").lowercased().split(whereSeparator: {
            ", ".contains($0)
        })
        return Set(names.map(String.init))
    }

    private var allowsPlain: Bool { context.settings["bridgePlain"]?.boolValue ?? true }

    /// The listening server; nil while the bridge is off.
    package var server: DesktopWebSocketServer? { opened.withLock { $0?.server } }

    /// SHA-256 of its key, which phones pin; nil while the bridge is off.
    package var keyHash: [UInt8]? { identity?.keyHash }

    package func run() async {
        guard let opened = opened.withLock({ $0 }), let server = opened.server else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.advertise(server, opened.access) }
            group.addTask { await opened.door.tellOwner() }
            await server.run()
            group.cancelAll()
        }
    }

    /// Lets phones on the network find the bridge while it listens. What is told there is a hint: anybody can tell the same.
    private func advertise(_ server: DesktopWebSocketServer, _ access: CommandAccess) async {
        guard let advertiser else { return }
        for await case .listening(let number) in server.states() {
            guard let port = UInt16(exactly: number), let keyHash else { return }
            let print = Hexadecimal.encode(keyHash.prefix(8))
            do {
                let advertisement = try ServiceAdvertisement(
                    Self.serviceType,
                    text: ["id=\(access.deviceID)", "v=\(BridgeHello.ownVersion)", "tls=1", "fp=\(print)"],
                    deviceID: access.deviceID,
                    did: access.did,
                    name: access.name,
                    port: port
                )
                await advertiser.advertise(advertisement)
            } catch {
                context.logger.notice("bridge not advertised on the network", metadata: ["reason": "\(error)"])
            }
        }
    }

    // MARK: The owner

    package var controlRoutes: [ControlRoute] {
        [
            ControlRoute(BridgeControl.status) { [self] _ in status() },
            ControlRoute(BridgeControl.newToken) { [self] in try await make($0) },
            ControlRoute(BridgeControl.watchCode) { [self] in try await watchCode($0, report: $1) },
            ControlRoute(BridgeControl.tokens) { [self] _ in BridgeTokenList(tokens: tokens.all.map(entry)) },
            ControlRoute(BridgeControl.revoke) { [self] in try await revoke($0.id) },
        ]
    }

    private func status() -> BridgeStatus {
        let opened = opened.withLock { $0 }
        var refused = opened?.door.refused ?? [:]
        if places.displaced > 0 { refused["places"] = places.displaced }
        var port: Int?
        var problem: String?
        switch opened?.server?.state {
        case .listening(let number)?: port = number
        case .failed(let error)?: problem = "\(error)"
        case .starting?, .stopped?, nil: break
        }
        return BridgeStatus(
            address: listening?.address,
            port: port,
            problem: problem,
            fingerprint: keyHash.map(Hexadecimal.encode),
            plain: allowsPlain,
            sockets: opened?.door.socketCount ?? 0,
            unproven: places.count,
            tokens: tokens.all.count,
            refused: refused
        )
    }

    private func make(_ new: NewBridgeToken) async throws -> GivenBridgeToken {
        guard new.code != true else { return try makeCode(new).given }
        let opened = try serving().opened
        let rights = try rights(new.rights ?? [], opened.access.rights)
        let (token, text) = try await tokens.add(name: new.name ?? "", rights: rights, now: context.time.date)
        return GivenBridgeToken(
            entry: entry(token),
            token: text,
            payload: nil,
            expiresAt: nil,
            rights: opened.access.rights.sorted(rights)
        )
    }

    /// - Throws: ``BridgeError/off``.
    private func serving() throws(BridgeError) -> (opened: Opened, server: DesktopWebSocketServer) {
        guard let opened = opened.withLock({ $0 }), let server = opened.server else { throw .off }
        return (opened, server)
    }

    private func makeCode(_ new: NewBridgeToken) throws
        -> (given: GivenBridgeToken, outcome: LatestValue<BridgeCodes.Outcome>)
    {
        let (opened, server) = try serving()
        let rights = try rights(new.rights ?? [], opened.access.rights)
        guard case .listening(let number) = server.state, let port = UInt16(exactly: number) else {
            throw BridgeError.notListening
        }
        // A device that scans a code learns nothing of why it gets no token.
        guard tokens.all.count < BridgeTokens.countLimit else {
            throw BridgeError.tooManyTokens(limit: BridgeTokens.countLimit)
        }
        let (code, outcome) = codes.make(rights: rights, name: new.name)
        let shown = BridgeCode(hosts: hosts, port: port, code: code, keyHash: keyHash, name: opened.access.name)
        let end = context.time.date.addingTimeInterval(TimeInterval(BridgeCodes.lifetime.components.seconds))
        let given = GivenBridgeToken(
            entry: nil,
            token: nil,
            payload: shown.text,
            expiresAt: end.millisecondsSince1970,
            rights: opened.access.rights.sorted(rights)
        )
        return (given, outcome)
    }

    /// Returns once a device used the code, or it is over.
    private func watchCode(
        _ new: NewBridgeToken,
        report: @Sendable (GivenBridgeToken) async throws -> Void
    ) async throws -> BridgeCodeEnd {
        struct Over: Error {}
        let (given, outcome) = try makeCode(new)
        try await report(given)
        do {
            let id = try await withTimeout(BridgeCodes.lifetime, on: context.time, throwing: Over()) {
                for await outcome in outcome.values() {
                    switch outcome {
                    case .open: continue
                    case .given(let id): return id
                    case .over: throw Over()
                    }
                }
                throw CancellationError()
            }
            return BridgeCodeEnd(entry: tokens[id].map(entry))
        } catch is Over {
            return BridgeCodeEnd(entry: nil)
        }
    }

    /// Where phones on the network reach this machine.
    private var hosts: [String] {
        guard let listening, ["0.0.0.0", "::", "*"].contains(listening.address) else {
            return [listening?.address].compactMap(\.self)
        }
        let found = LocalAddresses.reachable(among: NetworkInterface.current()).map(\.description)
        return found.isEmpty ? ["127.0.0.1"] : Array(found.prefix(4))
    }

    private func rights(_ names: [String], _ catalogue: RightsCatalogue) throws -> Set<Right> {
        guard !names.isEmpty else { return catalogue.initialForTokens }
        let allowed = catalogue.sorted(catalogue.forTokens).map(\.rawValue)
        let rights: Set<Right>
        do {
            rights = try catalogue.list(names)
        } catch .unknown(let name, _) {
            // Only those that help here.
            throw RightsError.unknown(name, known: allowed)
        } catch .none {
            throw RightsError.none(known: allowed)
        }
        if let other = catalogue.sorted(rights.subtracting(catalogue.forTokens)).first {
            throw BridgeError.notForTokens(other.rawValue, allowed: allowed)
        }
        return rights
    }

    private func revoke(_ name: String) async throws -> BridgeTokenEntry {
        // An id is one token's whatever other devices call themselves.
        let matches = tokens[name].map { [$0] } ?? tokens.all.filter { $0.name == name }
        guard let token = matches.first, matches.count == 1 else {
            throw matches.isEmpty ? BridgeError.unknownToken(name) : .severalTokens(matches.map(\.id))
        }
        let before = entry(token)
        let result: Result<Void, any Error>
        do {
            try await tokens.remove(token.id)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Its sockets end, also where the disk did not take it.
        await opened.withLock { $0 }?.door.revoke(token)
        try result.get()
        return before
    }

    private func entry(_ token: BridgeTokens.Token) -> BridgeTokenEntry {
        BridgeTokenEntry(
            id: token.id,
            name: token.name,
            rights: token.rights.sorted { $0.rawValue < $1.rawValue },
            createdAt: token.createdAt,
            lastSeenAt: token.lastSeenAt,
            address: token.address,
            sockets: opened.withLock { $0 }?.door.socketCount(of: token.id) ?? 0
        )
    }

    package func checks() async -> [DoctorCheck] {
        guard let listening else { return [] }
        let status = status()
        let place = "port \(status.port ?? listening.port) of \(listening.address)"
        let check = DoctorCheck(
            name: "Bridge",
            works: status.port != nil,
            detail: status.problem ?? (status.port == nil ? "it does not listen yet" : place)
        )
        let values: [String: JSONValue] = [
            "port": .integer(Int64(status.port ?? listening.port)), "address": .string(listening.address),
        ]
        if case .failed(.cannotListen(let address, let port, let reason, let isTaken))? = server?.state {
            var values: [String: JSONValue] = ["port": .integer(Int64(port)), "address": .string(address)]
            // The system's own words, which a page shows as they are.
            if !isTaken { values["reason"] = .string(reason) }
            return [check.saying(isTaken ? "bridgePortTaken" : "bridgeFails", values)]
        }
        guard status.problem == nil else { return [check] }
        return [check.saying(status.port == nil ? "bridgeWaits" : "bridgeListens", values)]
    }
}
