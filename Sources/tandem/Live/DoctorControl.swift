import Control
import Kernel

/// A running role's answers, with what `tandem doctor` asks it: a program that a service manager started has another
/// environment than the person's shell, and sees another screen, clipboard and bus, or none.
struct DoctorControl: ControlHandler {
    let role: any ControlHandler

    func handle(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        guard request.method == "doctor" else { return try await role.handle(request, report: report) }
        let findings = await Live.toolChecks().map { Finding($0).json }
        return ["checks": .array(findings)]
    }

    func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        guard request.method == "doctor" else {
            return try await role.handle(request, input: input, report: report)
        }
        return try await handle(request, report: report)
    }
}
