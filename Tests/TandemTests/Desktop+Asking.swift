import Control
import Kernel

@testable import TandemDesktop

extension Desktop {
    /// Does what a command on this computer asks for.
    @discardableResult
    nonisolated func ask(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try await self.control
            .handle(ControlRequest(id: 1, method: method, params: params), report: { _ in })
    }
}
