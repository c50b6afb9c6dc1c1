import Accounts
public import Chat
import ChatSealing
import Kernel
import Sealing

/// The account's own list of devices.
extension SealedMessages {
    /// Believes the own list, makes the first one, and gives the hub back what it lost.
    func alignList() async throws {
        let known = try await contact(me).chain
        let offer = try await ChainFetch(server).offer(of: me, known: known)
        let chain: AccountChain
        let missing: [ChainEntry]
        switch offer {
        case .none:
            chain = try known ?? .first(of: me, by: identity, named: deviceName, at: now)
            missing = chain.entries
        case .behind(let newest):
            guard let known else { return }
            (chain, missing) = (known, Array(known.entries.dropFirst(newest + 1)))
        case .chain, .broken:
            try await believe(offer, of: me)
            return
        }
        do {
            for entry in missing { try await append(entry) }
        } catch ChatError.refused(.duplicateKey, _) {
            // Another device was faster, and its list is in force; or the hub has another one, which is no continuation.
            try await refreshed(me)
            return
        }
        try await change(me) { $0.growChain(to: chain) }
        // A hub that lost the list lost the keys of its devices, too.
        if known != nil { try await publishAgain() }
    }

    private func append(_ entry: ChainEntry) async throws {
        _ = try await server.ask(ChatEndpoints.appendToChain, AppendToChain(of: me, entry.json))
    }

    /// The devices in the list, and those of the account that wait to be added.
    func devices() async throws -> ChatControl.DeviceList {
        let contact = try await current(me)
        var entries = (contact.chain?.newest.devices ?? []).map { device in
            ChatControl.ChatDevice(
                did: device.did.text,
                name: device.name,
                words: device.did.fingerprint,
                state: device.did == identity.did ? .this : .listed
            )
        }
        if !entries.contains(where: { $0.state == .this }) {
            // Its words are what a person types on another device.
            entries.insert(
                ChatControl.ChatDevice(
                    did: identity.did.text,
                    name: deviceName,
                    words: identity.did.fingerprint,
                    state: .this
                ),
                at: 0
            )
        }
        for device in try await waitingDevices() where device.did != identity.did {
            entries.append(
                ChatControl.ChatDevice(
                    did: device.did.text,
                    name: device.name,
                    words: device.did.fingerprint,
                    state: .waiting
                )
            )
        }
        return ChatControl.DeviceList(
            devices: entries,
            isListed: contact.chain?.newest.has(identity.did) ?? false,
            trouble: contact.trouble
        )
    }

    /// Devices that are signed in to the account or showed a key, and are not in the list. All of it is what the hub says.
    private func waitingDevices() async throws -> [(did: DID, name: String)] {
        let listed = Set((try await contact(me).chain?.newest.devices ?? []).map(\.did))
        // A hub that does not answer this has told of keys all the same.
        let signedIn = ((try? await accountDevices()) ?? []).compactMap { device -> (DID, String)? in
            guard let did = device.did.flatMap({ try? DID($0) }), did.signingKey != nil else { return nil }
            return (did, Self.listed(device.name))
        }
        let showing = try await keyBundles(of: [me]).map { ($0.did, Self.listed("")) }
        var seen = listed
        return (signedIn + showing).filter { seen.insert($0.0).inserted }
    }

    /// Adds a device of the account to the list, once a person compared the words of its key.
    ///
    /// - Throws: `ChatError`: `notThatDevice` where no such device is signed in or the words are another key's, `deviceNotAdded` where this device
    ///   is not in the list itself.
    func addDevice(_ text: String, words: String) async throws {
        forgetWhatWasTold(of: [me])
        _ = try await current(me)
        guard let (did, name) = try await waitingDevices().first(where: { $0.did.text == text }),
            did.fingerprint == words.lowercased().filter({ !$0.isWhitespace })
        else { throw ChatError.notThatDevice }
        let device = try ListedDevice(did, name: name, since: now)
        try await changeList { [identity] chain in
            chain.newest.has(did) ? chain : try chain.adding(device, by: identity)
        }
    }

    /// Takes a device out of the list. All others make new keys.
    func removeDevice(_ text: String) async throws {
        guard let did = try? DID(text), try await current(me).chain?.newest.has(did) == true else {
            throw ChatError.notThatDevice
        }
        try await changeList { [identity] chain in
            chain.newest.has(did) ? try chain.removing(did, by: identity) : chain
        }
    }

    /// - Parameter body: Makes the next list of the one in force; it is asked again where another device was faster.
    private func changeList(_ body: @Sendable (AccountChain) throws -> AccountChain) async throws {
        for attempt in 0..<3 {
            let contact = try await refreshed(me)
            guard contact.trouble == nil, let chain = contact.chain, chain.newest.has(identity.did) else {
                throw ChatError.deviceNotAdded
            }
            let next = try body(chain)
            guard next != chain else { return }
            do {
                try await append(next.newest)
            } catch ChatError.refused(.duplicateKey, _) where attempt < 2 {
                continue
            }
            try await change(me) { $0.growChain(to: next) }
            return await align()
        }
    }

    /// Begins the list anew with this device alone, because all others are lost; or takes the hub's list in place of the one that was seen.
    func renewList(adopting: Bool) async throws {
        let fetch = ChainFetch(server)
        let chain: AccountChain
        switch try await fetch.whole(of: me) {
        case .chain(let offered):
            guard !adopting else {
                chain = offered
                break
            }
            chain = try .restarted(
                of: me,
                after: offered.newest.hash,
                by: identity,
                named: deviceName,
                at: now
            )
            // With the list before the hub deletes all keys: this device may have published its own while it waited.
            try await publishAgain()
            try await append(chain.start)
        case .none, .behind, .broken: throw ChatError.nothingToAgree
        }
        try await change(me) { contact in
            if contact.chain?.start.hash == chain.start.hash {
                contact.growChain(to: chain)
            } else {
                contact.replaceChain(with: chain)
            }
            contact.trouble = nil
        }
        await align()
    }
}

/// Other people's lists, as conversations tell of them.
extension SealedMessages {
    public func deviceChanges(of conversation: ConversationID, since place: DeviceListPlace?) async -> DeviceChanges? {
        // What cannot be read of the disk now is told with the next change.
        guard let peer = conversation.peer(of: me), let chain = try? await contact(peer).chain else { return nil }
        let here = DeviceListPlace(start: chain.start.hash, number: chain.newest.number)
        guard let place, place != here else { return DeviceChanges(upTo: here, changes: []) }
        guard place.start == here.start else {
            let names = chain.newest.devices.map(\.name)
            return DeviceChanges(upTo: here, changes: [DeviceChange(added: names, removed: [], isAnew: true)])
        }
        let entries = chain.entries
        let changes = zip(entries, entries.dropFirst()).filter { $0.1.number > place.number }.map { before, after in
            DeviceChange(
                added: after.devices.filter { !before.has($0.did) }.map(\.name),
                removed: before.devices.filter { !after.has($0.did) }.map(\.name)
            )
        }
        return DeviceChanges(upTo: here, changes: changes)
    }
}
