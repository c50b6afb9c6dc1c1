public import Capabilities
public import CommandClient
public import Commands
import Rights

/// A phone's half of what a computer tells of itself.
public struct SystemFeature: PeerFeature {
    /// For `PhoneConfiguration.features`. It keeps nothing, and needs no tables.
    public static let maker = PeerFeatureMaker("system", rights: [.systemInformation, .systemLogs]) { _ in
        SystemFeature()
    }

    public init() {}

    public var methods: [MethodDeclaration] { SystemMethods.all }
}
