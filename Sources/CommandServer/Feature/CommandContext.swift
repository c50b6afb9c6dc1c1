package import Capabilities

/// The surroundings that a feature of a computer is made with: those of a feature of any role, and the computer's own.
@dynamicMemberLookup
package struct CommandContext: Sendable {
    /// Its storage, settings, clock and logger, which are also this value's members.
    package let common: FeatureContext
    package let outlet: any DeviceOutlet
    /// Where a feature that has a door of its own puts who is connected there, so that the outlet reaches them.
    package let callers: OpenCallers
    /// The observer of activities that the owner should know of at once.
    package let observer: (any ActivityObserver)?
    /// Where it says something for people, and where the feature that tells phones hears it.
    package let announcements: Announcements

    package init(
        _ common: FeatureContext,
        outlet: any DeviceOutlet,
        callers: OpenCallers = OpenCallers(),
        observer: (any ActivityObserver)?,
        announcements: Announcements
    ) {
        self.common = common
        self.outlet = outlet
        self.callers = callers
        self.observer = observer
        self.announcements = announcements
    }

    package subscript<Member>(dynamicMember member: KeyPath<FeatureContext, Member>) -> Member {
        common[keyPath: member]
    }
}

/// A feature of a computer before it is made.
package typealias CommandFeatureMaker = FeatureMaker<CommandContext, any CommandFeature>
