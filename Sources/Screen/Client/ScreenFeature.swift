public import Capabilities
public import CommandClient
public import Commands
import Rights
public import Transport

/// A phone's half of the screen.
public struct ScreenFeature: PeerFeature {
    /// The maker that a composition lists to have this feature: the right `display`.
    public static let maker = PeerFeatureMaker("screen", rights: [.display]) { ScreenFeature($0.computers) }

    private let computers: any PairedComputers

    package init(_ computers: any PairedComputers) { self.computers = computers }

    /// `display.screenshot`, `display.list`, and those of live views.
    public var methods: [MethodDeclaration] { ScreenMethods.all }

    public func pageRoutes() throws -> RouteSet {
        RouteSet(http: [try ScreenPage.route(computers)], webSockets: [try ScreenSocket.route(computers)])
    }

    /// A ``ScreenPart`` for the computer.
    public func part(for computer: ComputerContext) -> (any ComputerPart)? { ScreenPart(computer) }
}
