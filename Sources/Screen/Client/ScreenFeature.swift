public import CommandClient
public import Commands
import Rights
public import Transport

/// A phone's half of the screen.
public struct ScreenFeature: PeerFeature {
    /// The maker that a composition lists to have this feature: the right `display`.
    public static let maker = PeerFeatureMaker(rights: [.display]) { _ in ScreenFeature() }

    package init() {}

    /// `display.screenshot` and `display.list`.
    public var methods: [MethodDeclaration] { ScreenMethods.all }

    public func pageRoutes(_ computers: any PairedComputers) throws -> RouteSet {
        RouteSet(http: [try ScreenPage.route(computers)])
    }
}
