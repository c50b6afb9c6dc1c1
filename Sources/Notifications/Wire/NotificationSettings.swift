public import Commands
public import Kernel

/// How a computer's notifications behave, for every device. Source: `docs/protocol.md`, "Notifications".
public struct NotificationSettings: MethodAnswer, Hashable {
    /// Off: nothing is told and nothing is kept.
    public var isEnabled = true
    public var hasQuietHours = false
    public var quietStart: TimeOfDay?
    public var quietEnd: TimeOfDay?
    public var hasSound = true
    public var vibrates = true
    /// Off: banners say which program it is, and not what it says.
    public var showsPreview = true
    /// Ours: `urgent` is shown in quiet hours, too. Off until the person says so: any program may call itself urgent.
    public var urgentPasses = false
    /// Ours: what programs show on the computer's desktop is told.
    public var mirrorsDesktop = true
    /// Ours: rows of the history.
    public var historyRows = 500
    /// Ours: days of it.
    public var historyDays = 7
    /// Ours: whether the push service of the device that asks refuses what this computer sends. No setting: its person has to turn it on anew.
    public var isPushRefused = false
    /// The settings of ours that the computer does not tell, since its program has none such; their values here mean nothing.
    public var untold: Set<Own> = []

    /// Settings that existing programs do not have.
    public enum Own: String, Hashable, Sendable, CaseIterable {
        case urgentPasses
        case mirrorsDesktop = "mirrorDesktop"
        case historyRows = "historyLimit"
        case historyDays
    }

    public init() {}

    /// Nil while they are off, or one end is not set.
    public var quietHours: QuietHours? {
        guard hasQuietHours, let quietStart, let quietEnd else { return nil }
        return QuietHours(start: quietStart, end: quietEnd)
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "settings")
        let quiet = members.value("quietHours").flatMap { try? AnswerMembers($0) }
        isEnabled = members.flag("enabled") ?? true
        hasQuietHours = members.flag("quietHoursEnabled") ?? quiet?.flag("enabled") ?? false
        quietStart = (members.text("quietHoursStart") ?? quiet?.text("start")).flatMap(TimeOfDay.init)
        quietEnd = (members.text("quietHoursEnd") ?? quiet?.text("end")).flatMap(TimeOfDay.init)
        hasSound = members.flag("soundEnabled") ?? true
        vibrates = members.flag("vibrationEnabled") ?? true
        showsPreview = members.flag("showPreview") ?? true
        urgentPasses = members.flag("urgentPasses") ?? false
        mirrorsDesktop = members.flag("mirrorDesktop") ?? true
        historyRows = members.count("historyLimit") ?? 500
        historyDays = members.count("historyDays") ?? 7
        isPushRefused = members.flag("pushRefused") ?? false
        untold = Set(Own.allCases.filter { members.value($0.rawValue) == nil })
    }

    /// Flat as documented, and quiet hours once more nested as existing programs read them.
    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "enabled": .bool(isEnabled), "quietHoursEnabled": .bool(hasQuietHours), "soundEnabled": .bool(hasSound),
            "vibrationEnabled": .bool(vibrates), "showPreview": .bool(showsPreview),
            "urgentPasses": .bool(urgentPasses),
            "mirrorDesktop": .bool(mirrorsDesktop), "historyLimit": .integer(Int64(historyRows)),
            "historyDays": .integer(Int64(historyDays)),
        ]
        var quiet: [String: JSONValue] = ["enabled": .bool(hasQuietHours)]
        quiet["start"] = quietStart.map { .string($0.description) }
        quiet["end"] = quietEnd.map { .string($0.description) }
        members["quietHoursStart"] = quiet["start"]
        members["quietHoursEnd"] = quiet["end"]
        members["quietHours"] = .object(quiet)
        if isPushRefused { members["pushRefused"] = true }
        for own in untold { members[own.rawValue] = nil }
        return .object(members)
    }
}

/// A change of the settings. A nil member stays as it is.
public struct NotificationSettingsChange: MethodParameters, Hashable {
    public var isEnabled: Bool?
    public var hasQuietHours: Bool?
    public var quietStart: TimeOfDay?
    public var quietEnd: TimeOfDay?
    public var hasSound: Bool?
    public var vibrates: Bool?
    public var showsPreview: Bool?
    public var urgentPasses: Bool?
    public var mirrorsDesktop: Bool?
    public var historyRows: Int?
    public var historyDays: Int?

    public init() {}

    public init(wire: RemoteParameters) throws {
        // Existing programs nest quiet hours; what stands flat counts before it.
        let nested = RemoteParameters(wire.value["quietHours"] ?? .null)
        isEnabled = try wire.optionalFlag("enabled")
        hasQuietHours = try wire.optionalFlag("quietHoursEnabled") ?? nested.optionalFlag("enabled")
        quietStart = try wire.time("quietHoursStart") ?? nested.time("start")
        quietEnd = try wire.time("quietHoursEnd") ?? nested.time("end")
        hasSound = try wire.optionalFlag("soundEnabled")
        vibrates = try wire.optionalFlag("vibrationEnabled")
        showsPreview = try wire.optionalFlag("showPreview")
        urgentPasses = try wire.optionalFlag("urgentPasses")
        mirrorsDesktop = try wire.optionalFlag("mirrorDesktop")
        historyRows = try wire.optionalInteger("historyLimit", in: NotificationLimits.historyRows).map(Int.init)
        historyDays = try wire.optionalInteger("historyDays", in: NotificationLimits.historyDays).map(Int.init)
        guard self != NotificationSettingsChange() else {
            throw RemoteFailure.badParameter("enabled", "given, or another setting of notifications")
        }
    }

    /// The wire form: flat and nested as ``NotificationSettings/wire``.
    public var wire: JSONValue {
        var members: [String: JSONValue] = [:]
        members["enabled"] = isEnabled.map(JSONValue.bool)
        members["quietHoursEnabled"] = hasQuietHours.map(JSONValue.bool)
        members["quietHoursStart"] = quietStart.map { .string($0.description) }
        members["quietHoursEnd"] = quietEnd.map { .string($0.description) }
        // Existing programs pass over what stands flat.
        var quiet: [String: JSONValue] = [:]
        quiet["enabled"] = members["quietHoursEnabled"]
        quiet["start"] = members["quietHoursStart"]
        quiet["end"] = members["quietHoursEnd"]
        if !quiet.isEmpty { members["quietHours"] = .object(quiet) }
        members["soundEnabled"] = hasSound.map(JSONValue.bool)
        members["vibrationEnabled"] = vibrates.map(JSONValue.bool)
        members["showPreview"] = showsPreview.map(JSONValue.bool)
        members["urgentPasses"] = urgentPasses.map(JSONValue.bool)
        members["mirrorDesktop"] = mirrorsDesktop.map(JSONValue.bool)
        members["historyLimit"] = historyRows.map { .integer(Int64($0)) }
        members["historyDays"] = historyDays.map { .integer(Int64($0)) }
        return .object(members)
    }

    /// The settings in this change that a computer with these settings does not have, so that they stay as they were.
    public func missing(in settings: NotificationSettings) -> Set<NotificationSettings.Own> {
        var wanted: Set<NotificationSettings.Own> = []
        if urgentPasses != nil { wanted.insert(.urgentPasses) }
        if mirrorsDesktop != nil { wanted.insert(.mirrorsDesktop) }
        if historyRows != nil { wanted.insert(.historyRows) }
        if historyDays != nil { wanted.insert(.historyDays) }
        return wanted.intersection(settings.untold)
    }

    /// - Throws: ``RemoteFailure`` naming the field where quiet hours would be on with a beginning alone, or an end.
    package func applied(to settings: NotificationSettings) throws(RemoteFailure) -> NotificationSettings {
        var changed = settings
        changed.isEnabled = isEnabled ?? settings.isEnabled
        changed.hasQuietHours = hasQuietHours ?? settings.hasQuietHours
        changed.quietStart = quietStart ?? settings.quietStart
        changed.quietEnd = quietEnd ?? settings.quietEnd
        changed.hasSound = hasSound ?? settings.hasSound
        changed.vibrates = vibrates ?? settings.vibrates
        changed.showsPreview = showsPreview ?? settings.showsPreview
        changed.urgentPasses = urgentPasses ?? settings.urgentPasses
        changed.mirrorsDesktop = mirrorsDesktop ?? settings.mirrorsDesktop
        changed.historyRows = historyRows ?? settings.historyRows
        changed.historyDays = historyDays ?? settings.historyDays
        if changed.hasQuietHours {
            // A switch alone turns them on, as existing phones do.
            if changed.quietStart == nil, changed.quietEnd == nil {
                (changed.quietStart, changed.quietEnd) = (QuietHours.usual.start, QuietHours.usual.end)
            }
            guard changed.quietStart != nil else { throw .badParameter("quietHoursStart", "a time such as 22:00") }
            guard changed.quietEnd != nil else { throw .badParameter("quietHoursEnd", "a time such as 08:00") }
        }
        return changed
    }
}

extension RemoteParameters {
    fileprivate func optionalFlag(_ name: String) throws(RemoteFailure) -> Bool? { has(name) ? try flag(name) : nil }

    fileprivate func time(_ name: String) throws(RemoteFailure) -> TimeOfDay? {
        guard let text = try optionalText(name, limit: 16) else { return nil }
        guard let time = TimeOfDay(text) else { throw .badParameter(name, "a time from 00:00 to 23:59") }
        return time
    }
}
