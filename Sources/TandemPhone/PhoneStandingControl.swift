import Capabilities
package import Control
import Foundation
import Kernel
import Logging
package import Sections
import Signaling

/// Whether a phone is the one that its keys name, for commands and pages.
package struct PhoneStandingReport: Codable, Hashable, Sendable {
    /// `active`, `handing-over`, `kept` or `retired`.
    package var state: String
    /// The phone that the data moved to, by its name; nil where none moved.
    package var newPhone: String?
    /// Milliseconds since 1970-01-01T00:00:00Z; of a retired phone only.
    package var undoUntil: Int64?
    /// Whether the program has no session and no conversation. One that was kept begins them with its next start.
    package var isResting: Bool

    /// - Parameter hasRested: Whether the program ended them already.
    package init(_ standing: PhoneStanding, hasRested: Bool) {
        isResting = standing.rests || hasRested
        newPhone = standing.handover?.newPhone
        switch standing {
        case .active: state = "active"
        case .handingOver: state = "handing-over"
        case .kept: state = "kept"
        case .retired(_, _, let end):
            state = "retired"
            undoUntil = end
        }
    }
}

extension ControlMethod where Parameters == NoControlParameters, Answer == PhoneStandingReport {
    package static var phoneStanding: Self {
        Self(
            "phone.standing",
            summary: "Whether this phone is the one that its keys name, or its data moved to another."
        )
    }

    /// The person says that this phone goes on, whatever the new one does.
    package static var phoneKeep: Self {
        Self("phone.keep", summary: "Go on with this phone after its data moved, while that can be undone.")
    }
}

extension Phone {
    /// - Throws: ``PhoneStandingError`` where it rests, or has rested since the program began.
    nonisolated func requireAwake() throws(PhoneStandingError) {
        try standing.value.requireActive()
        guard !hasRested.value else { throw .startAgain }
    }

    /// The routes about its standing.
    nonisolated var standingRoutes: [ControlRoute] {
        [
            ControlRoute(.phoneStanding) { _ in
                PhoneStandingReport(self.standing.value, hasRested: self.hasRested.value)
            },
            ControlRoute(.phoneKeep) { _ in
                let now = self.configuration.time.date.millisecondsSince1970
                let standing = try await self.standing.change { try $0.kept(at: now) }
                return PhoneStandingReport(standing, hasRested: self.hasRested.value)
            },
        ]
    }

    /// Tells at each change of its standing, and when its sessions ended.
    nonisolated var standingTopic: ControlTopic {
        ControlTopic("standing") { tell in
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in self.standing.values() { tell([:]) } }
                group.addTask { for await _ in self.hasRested.values() { tell([:]) } }
            }
        }
    }

    /// The sentence for a phone that rests; none where it is what its keys name.
    nonisolated var standingChecks: [DoctorCheck] {
        do {
            try requireAwake()
            return []
        } catch {
            return [DoctorCheck(name: "This phone", isNeeded: true, failure: error)]
        }
    }

    /// Stands back where a server shows that another phone with the same keys lives, if this one gave them away.
    nonisolated func yieldToNewPhone(_ events: AsyncStream<SignalNetwork.Event>) async {
        for await event in events {
            guard case .state(.replaced) = event.content, standing.value.yieldsWhenReplaced else { continue }
            let now = configuration.time.date.millisecondsSince1970
            do {
                try await standing.change { $0.yielding(at: now) }
            } catch {
                logger.error("this phone could not be retired", metadata: ["reason": "\(error)"])
            }
        }
    }
}
