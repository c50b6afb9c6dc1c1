public import Control
public import Foundation
public import Sealing
public import Transport

/// A feature's part of a role, whatever role that is. The composition asks for each of these and knows nothing else of it.
public protocol ServedFeature: Sendable {
    /// Requests that commands and pages on this machine can make.
    var controlRoutes: [ControlRoute] { get }
    /// Topics that it tells by itself to pages of this role.
    var topics: [ControlTopic] { get }
    /// Routes beside the relay on this role's server, under the server's rules for hosts, origins and limits.
    ///
    /// - Throws: `RouteError`.
    func serverRoutes() throws -> RouteSet
    /// Routes that it serves to the page of this role.
    ///
    /// - Throws: `RouteError`.
    func pageRoutes() throws -> RouteSet
    /// The bounds that it keeps.
    var limits: [FeatureLimit] { get }
    /// The devices that it knows by their keys, for the person who looks after this role: who is connected, and whose device that is.
    ///
    /// - Parameter keys: At most 10,000.
    /// - Returns: Those of `keys` that it knows; for most features none.
    func knownDevices(_ keys: Set<DID>) async -> [DID: KnownDevice]
    /// Something that works on this machine, or is missing.
    func checks() async -> [DoctorCheck]
    /// Copies what it keeps in files beside its database, for a backup. The copy of the database says what that is: what is not in it need not be
    /// copied, and what is gone meanwhile is taken out of it.
    ///
    /// - Parameter folder: The feature's folder in the backup, with the copy of its database where it has one of its own.
    func copyFiles(into folder: URL) async throws
    /// Work in the background. Returns when its task is cancelled; one that returns earlier ends nothing.
    func run() async
    /// Ends what it started and keeps what has to last.
    func close() async
}

extension ServedFeature {
    public var controlRoutes: [ControlRoute] { [] }
    public var topics: [ControlTopic] { [] }
    public func serverRoutes() throws -> RouteSet { RouteSet() }
    public func pageRoutes() throws -> RouteSet { RouteSet() }
    public var limits: [FeatureLimit] { [] }
    public func knownDevices(_ keys: Set<DID>) async -> [DID: KnownDevice] { [:] }
    public func checks() async -> [DoctorCheck] { [] }
    public func copyFiles(into folder: URL) async throws {}
    public func run() async {}
    public func close() async {}
}
