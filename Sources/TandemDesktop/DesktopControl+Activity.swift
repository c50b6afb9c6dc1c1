import CommandServer
import Control
import Kernel
import Pairing
import Sealing

/// What phones keep going at this computer, for its owner to see and to end.
extension DesktopControl {
    func activities(_ request: ControlRequest) async throws -> [JSONValue] {
        let phone = try request.optionalText("id") == nil ? nil : try phone(request).did
        return describe(await desktop.phones.activities(of: phone))
    }

    /// Ends those that are named, or all of them.
    func endActivities(_ request: ControlRequest) async throws -> JSONValue {
        let current = await desktop.phones.activities()
        let ids = try request.flag("all") ? current.map(\.id) : request.texts("activities")
        var (ended, others): ([Activity], [JSONValue]) = ([], [])
        for id in ids {
            if try await desktop.phones.endActivity(id), let activity = current.first(where: { $0.id == id }) {
                ended.append(activity)
            } else {
                others.append(.string(id))
            }
        }
        return ["ended": .array(describe(ended)), "notEnded": .array(others)]
    }

    func describe(_ activities: [Activity]) -> [JSONValue] {
        let phones = desktop.phones.records.all()
        return activities.map { activity in
            let name = phones.first { $0.did.text == activity.device }?.name ?? ""
            return activity.json.adding("name", .string(name)).adding("words", .string(activity.words))
        }
    }
}
