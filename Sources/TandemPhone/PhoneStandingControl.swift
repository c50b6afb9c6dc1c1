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

    package init(_ standing: PhoneStanding) {
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
    /// The routes about its standing.
    nonisolated var standingRoutes: [ControlRoute] {
        [
            ControlRoute(.phoneStanding) { _ in PhoneStandingReport(self.standing.value) },
            ControlRoute(.phoneKeep) { _ in
                let now = self.configuration.time.date.millisecondsSince1970
                return PhoneStandingReport(try await self.standing.change { try $0.kept(at: now) })
            },
        ]
    }

    /// The sentence for a phone that rests; none where it is what its keys name.
    nonisolated var standingChecks: [DoctorCheck] {
        do {
            try standing.value.requireActive()
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
