package import Control
package import Foundation
import Kernel
package import Rights
import Sealing
package import Transport

/// The control methods of a role that concern its paired devices. The members' names are those that `--json` prints.
package enum DeviceControl {
    package static let list = ControlMethod<NoControlParameters, DeviceList>(
        "devices.list",
        summary: "The paired devices, last seen first."
    )
    package static let show = ControlMethod<DeviceName, DeviceEntry>(
        "devices.show",
        summary: "All that is known of one device."
    )
    package static let rename = ControlMethod<NewDeviceName, DeviceEntry>(
        "devices.rename",
        summary: "Give a device another name on this machine."
    )
    package static let forget = ControlMethod<DeviceName, ForgottenDevice>(
        "devices.forget",
        summary: "Remove a device, which is told where it can be."
    )
    package static let allow = ControlMethod<RightsChange, DeviceEntry>(
        "devices.allow",
        summary: "Give a phone rights; at a phone: what it may use in the clear."
    )
    package static let deny = ControlMethod<RightsChange, DeviceEntry>(
        "devices.deny",
        summary: "Take rights back, and with them what they keep going."
    )
    package static let rights = ControlMethod<NoControlParameters, RightsList>(
        "rights.list",
        summary: "All that a phone can be allowed, the least first."
    )
    package static let ask = ControlMethod<RightChoice, RightAskAnswer>(
        "devices.ask",
        summary: "At a phone: ask a computer's owner for a right there."
    )
    package static let asks = ControlMethod<NoControlParameters, RightAskList>(
        "devices.asks",
        summary: "The rights that phones ask for now."
    )
    package static let refuse = ControlMethod<RightChoice, RightAskList>(
        "devices.refuse",
        summary: "Say no to a phone that asks for a right; answers with what is still asked for."
    )
    package static let activities = ControlMethod<DeviceChoice, ActivityList>(
        "activity.list",
        summary: "What phones keep going at this computer."
    )
    package static let endActivities = ControlMethod<ActivityChoice, EndedActivities>(
        "activity.end",
        summary: "End some of what phones keep going, or all."
    )
}

extension ControlMethod where Parameters == AuditQuery {
    /// The query of the audit record. A computer keeps the record and declares its answer; a phone says where to ask.
    package static var audit: Self { Self("devices.audit", summary: "Who did what at this computer, newest first.") }
}

extension ControlTopic {
    /// Tells of each device whose rights have changed, with its rights now.
    ///
    /// - Parameters:
    ///   - lists: The paired devices now, and after each change.
    ///   - rights: A device's id, and its rights as far as they are known.
    package static func rights<Device: Sendable>(
        of lists: @escaping @Sendable () -> AsyncStream<[Device]>,
        by rights: @escaping @Sendable (Device) -> (id: String, rights: Set<Right>?)
    ) -> ControlTopic {
        ControlTopic("rights") { tell in
            var known: [String: Set<Right>]?
            for await list in lists() {
                let now = list.map(rights).reduce(into: [:]) { $0[$1.id] = $1.rights }
                for (id, rights) in now where known != nil && rights != known?[id] {
                    let names = rights.map(\.rawValue).sorted().map(JSONValue.string)
                    tell(["device": .string(id), "allowed": .array(names)])
                }
                if known == nil { tell([:]) }
                known = now
            }
        }
    }
}

// MARK: Parameters

package struct DeviceName: Codable, Hashable, Sendable {
    /// The device's id or name.
    package var id: String

    package init(_ id: String) { self.id = id }
}

package struct NewDeviceName: Codable, Hashable, Sendable {
    /// The device's id or name.
    package var id: String
    /// The device's new name on this machine; see ``text()``.
    package var name: String

    package init(_ id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The cleaned name, as it is stored.
    ///
    /// - Throws: `ControlError/badParameter(name:expected:)` when nothing is left of it, or it has more than 128 characters.
    package func text() throws -> String {
        guard name.count <= 128, let text = PeerText.typedName(name) else {
            throw ControlError.badParameter(name: "name", expected: "1 to 128 characters")
        }
        return text
    }
}

package struct DeviceChoice: Codable, Hashable, Sendable {
    /// The device's id or name; nil for all of them.
    package var id: String?

    package init(_ id: String?) { self.id = id }
}

package struct RightsChange: Codable, Hashable, Sendable {
    /// The device's id or name; nil where only one is paired.
    package var id: String?
    /// Names of rights, or of groups of rights.
    package var skills: [String]
    /// Whether the rights also hold for commands that a phone neither seals nor signs. Used when allowing.
    package var unsigned: Bool?
    /// Whether the phone's shells go on running, without the phone. Used when denying, and with a preset that takes rights back.
    package var keepShells: Bool?
    /// After how many seconds the rights end again, 300 to 2592000; nil for never. Used when allowing.
    package var seconds: Int?
    /// A preset in place of names, as in `RightPreset`: the phone gets its rights and, unless they are to end, loses all others. Used when
    /// allowing.
    package var preset: String?

    package init(
        id: String?,
        skills: [String],
        unsigned: Bool? = nil,
        keepShells: Bool? = nil,
        seconds: Int? = nil,
        preset: String? = nil
    ) {
        self.id = id
        self.skills = skills
        self.unsigned = unsigned
        self.keepShells = keepShells
        self.seconds = seconds
        self.preset = preset
    }
}

package struct RightChoice: Codable, Hashable, Sendable {
    /// The device's id or name; nil where only one is meant.
    package var id: String?
    /// The right's name; nil for all that the phone asks for. Needed when asking.
    package var right: String?

    package init(id: String?, right: String?) {
        self.id = id
        self.right = right
    }
}

package struct ActivityChoice: Codable, Hashable, Sendable {
    package var activities: [String]
    /// Whether to end every activity.
    package var all: Bool?

    package init(_ activities: [String], all: Bool) {
        self.activities = activities
        self.all = all
    }
}

package struct AuditQuery: Codable, Hashable, Sendable {
    /// The largest number of entries in the answer, 1 to 1000; nil for 50.
    package var limit: Int?
    /// The `next` of the previous answer.
    package var after: Int64?
    /// A phone's id or name; nil for all.
    package var id: String?
    /// The outcome of the entries: `begun`, `done`, `refused` or `failed`; nil for all.
    package var outcome: String?
    /// The author of the entries: `phone` or `owner`; nil for both.
    package var by: String?

    package init(limit: Int, id: String? = nil, outcome: String? = nil, by: String? = nil) {
        self.limit = limit
        self.id = id
        self.outcome = outcome
        self.by = by
    }
}

// MARK: Answers

package struct RightsList: Codable, Hashable, Sendable {
    /// One right; ``meaning`` is in a person's words, after "Ada's phone can …".
    package struct Entry: Codable, Hashable, Sendable {
        package var name: Right
        package var meaning: String
        package var risk: Risk
        /// A name that stands for this right and others of its kind together.
        package var group: String?
        /// Whether every phone has it from its pairing on.
        package var initial: Bool
    }

    /// A choice of rights that is made at once.
    package struct Preset: Codable, Hashable, Sendable {
        package var name: RightPreset
        package var meaning: String
        package var rights: [Right]
    }

    package var rights: [Entry]
    /// Nil of an older version.
    package var presets: [Preset]?

    package init(_ catalogue: RightsCatalogue) {
        presets = RightPreset.allCases.map {
            Preset(name: $0, meaning: $0.meaning, rights: catalogue.sorted(catalogue.rights(of: $0)))
        }
        rights = catalogue.declarations.map {
            Entry(name: $0.right, meaning: $0.meaning, risk: $0.risk, group: $0.group, initial: $0.isInitial)
        }
    }
}

package struct DeviceList: Codable, Hashable, Sendable {
    package var devices: [DeviceEntry]

    package init(_ devices: [DeviceEntry]) { self.devices = devices }
}

/// A paired device, as the role on this machine knows it. Times are in milliseconds since 1970.
package struct DeviceEntry: Codable, Hashable, Sendable {
    /// A phone's DID, or a computer's id at signaling servers.
    package var id: String
    package var name: String
    package var platform: PairingPlatform
    @OrNull package var did: String?
    @OrNull package var fingerprint: String?
    /// The words of this machine's key, which the device shows.
    package var ownFingerprint: String
    package var endToEnd: Bool
    /// The kind of the link to the device now, as in `LinkKind`.
    @OrNull package var path: String?
    /// At a computer, the phone's rights; at a phone, the rights that it may use at the computer in the clear.
    package var skills: [Right]
    package var pairedAt: Int64
    package var lastSeenAt: Int64

    /// Set for a phone only, as are the next two.
    package var deviceId: String?
    package var unsigned: [Right]?
    /// Rights that the phone has and whose use is refused all the same, unless it signs its commands.
    package var stillRefused: [Right]?
    /// When those of ``skills`` end that are not given for good, by their names.
    package var ends: [String: Int64]?

    /// Set for a computer only, as are the next three.
    package var pcPeerId: String?
    package var confirmed: Bool?
    package var lanSignalingUrl: OrNull<String>?
    package var relayUrl: OrNull<String>?
    /// The rights that the computer last said it allows this phone, and when it said so; null when it never did.
    package var allowed: OrNull<[Right]>?
    package var allowedAt: OrNull<Int64>?
    /// When those of ``allowed`` end that are not given for good, by their names and the computer's clock.
    package var allowedEnds: [String: Int64]?
    /// The rights that this phone asked for there, by their names, and how that stands.
    package var asks: [String: RightAskAnswer]?
    /// A sentence about what this phone may not do there and how the owner allows it; null when all is allowed, or nothing is known.
    package var notAllowed: OrNull<String>?

    /// The rights that a change of rights affected.
    package var changed: [Right]?
    /// The rights that a preset took back.
    package var lost: [Right]?
    /// Activities that ended with the rights that were taken back.
    package var ended: [ActivityEntry]?

    /// - Parameters:
    ///   - own: The words of this computer's key.
    ///   - refused: The value of ``stillRefused``.
    package init(
        _ phone: PairedPhone,
        own: String,
        path: LinkKind?,
        refused: Set<Right>,
        rights: RightsCatalogue
    ) {
        id = phone.did.text
        name = phone.name
        platform = phone.platform
        did = phone.did.text
        fingerprint = phone.did.fingerprint
        ownFingerprint = own
        endToEnd = phone.isEndToEnd
        self.path = path?.rawValue
        skills = rights.sorted(phone.allowedSkills)
        pairedAt = phone.pairedAt.millisecondsSince1970
        lastSeenAt = phone.lastSeenAt.millisecondsSince1970
        deviceId = phone.deviceID
        unsigned = rights.sorted(phone.unsignedRights)
        stillRefused = rights.sorted(refused)
        ends = phone.terms.ends.mapNames(\.millisecondsSince1970)
    }

    /// - Parameters:
    ///   - own: The words of this phone's key.
    ///   - advice: The sentence of ``notAllowed``.
    package init(_ computer: PairedDesktop, own: String, path: LinkKind?, advice: String?, rights: RightsCatalogue) {
        id = computer.pcPeerID
        name = computer.deviceName
        platform = computer.platform
        did = computer.did?.text
        fingerprint = computer.did?.fingerprint
        ownFingerprint = own
        endToEnd = computer.isEndToEnd
        self.path = path?.rawValue
        skills = rights.sorted(computer.clearRights)
        pairedAt = computer.pairedAt.millisecondsSince1970
        lastSeenAt = computer.lastSeenAt.millisecondsSince1970
        pcPeerId = computer.pcPeerID
        confirmed = computer.state != .unconfirmed
        lanSignalingUrl = OrNull(wrappedValue: computer.lanSignalingURL?.absoluteString)
        relayUrl = OrNull(wrappedValue: computer.relayURL?.absoluteString)
        // Rights that only the computer knows come last.
        let told = computer.allowed.map { allowed in
            let known = rights.sorted(allowed.rights)
            return known + allowed.rights.subtracting(known).sorted { $0.rawValue < $1.rawValue }
        }
        self.allowed = OrNull(wrappedValue: told)
        allowedAt = OrNull(wrappedValue: computer.allowed?.saidAt.millisecondsSince1970)
        notAllowed = OrNull(wrappedValue: advice)
        allowedEnds = computer.allowed?.ends.mapNames(\.millisecondsSince1970)
        asks = computer.allowed?.asks.mapNames(RightAskAnswer.init)
    }
}

/// How a phone's request for a right stands.
package struct RightAskAnswer: Codable, Hashable, Sendable {
    /// `waiting`, `refused` or `unanswered`; `allowed` in an answer to asking for what the phone has.
    package var state: String
    /// In milliseconds since 1970, by the computer's clock: the end of a request that waits, else when the right can be asked for again.
    package var until: Int64

    package init(state: String, until: Int64) {
        self.state = state
        self.until = until
    }

    init(_ state: RightAskState) {
        self.init(state: state.stage.rawValue, until: state.until.millisecondsSince1970)
    }
}

package struct RightAskList: Codable, Hashable, Sendable {
    /// A right that a phone asks for.
    package struct Entry: Codable, Hashable, Sendable {
        /// The phone's DID.
        package var device: String
        package var name: String
        package var right: Right
        /// The right's meaning in a person's words, after "Ada's phone can …".
        package var meaning: String
        package var risk: Risk
        package var askedAt: Int64
        package var expiresAt: Int64

        package init(
            _ phone: PairedPhone,
            _ declaration: RightDeclaration,
            askedAt: Date,
            expiresAt: Date
        ) {
            device = phone.did.text
            name = phone.name
            right = declaration.right
            meaning = declaration.meaning
            risk = declaration.risk
            self.askedAt = askedAt.millisecondsSince1970
            self.expiresAt = expiresAt.millisecondsSince1970
        }
    }

    package var asks: [Entry]

    package init(_ asks: [Entry]) { self.asks = asks }
}

package struct ForgottenDevice: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// Activities that ended with the pairing; set by a computer.
    package var ended: [ActivityEntry]?
    /// The command for the owner to type at the computer; set by a phone that could not tell the computer.
    package var untold: String?

    package init(id: String, name: String, ended: [ActivityEntry]? = nil, untold: String? = nil) {
        self.id = id
        self.name = name
        self.ended = ended
        self.untold = untold
    }
}

package struct ActivityList: Codable, Hashable, Sendable {
    package var activities: [ActivityEntry]

    package init(_ activities: [ActivityEntry]) { self.activities = activities }
}

/// An activity that a phone's right keeps going at this computer.
package struct ActivityEntry: Codable, Hashable, Sendable {
    package var id: String
    package var kind: String
    /// The phone's DID.
    package var device: String
    package var name: String
    package var right: Right
    /// The description that follows the phone's name.
    package var words: String
    /// Tells activities of one kind apart; empty where there is only one.
    package var detail: String
    /// When it began, in milliseconds since 1970, where that is kept.
    @OrNull package var since: Int64?
    /// The program that runs and, in ``process``, its number in the system; ``detail`` says both in one sentence. Nil where there is no program.
    package var program: String?
    package var process: Int?

    package init(
        id: String,
        kind: String,
        device: String,
        name: String,
        right: Right,
        words: String,
        detail: String,
        since: Int64?,
        program: String? = nil,
        process: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.device = device
        self.name = name
        self.right = right
        self.words = words
        self.detail = detail
        self.since = since
        self.program = program
        self.process = process
    }
}

package struct EndedActivities: Codable, Hashable, Sendable {
    package var ended: [ActivityEntry]
    /// Activities that had ended already, or that could not be ended.
    package var notEnded: [String]

    package init(ended: [ActivityEntry], notEnded: [String]) {
        self.ended = ended
        self.notEnded = notEnded
    }
}
