import ArgumentParser
import Control
import Kernel

/// What every command takes that asks a paired computer, from the phone's side.
struct RemoteOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Option(name: [.customLong("to")], help: "The computer's id or name, where several are paired.")
    var computer: String?

    @Option(help: "Seconds to wait for the answer, 1 to 3600.")
    var timeout: Int = 30

    func validate() throws {
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
        }
    }

    var client: ControlClient { global.client(for: .phone) }
    var device: JSONValue { computer.map(JSONValue.string) ?? .null }

    /// Calls one remote method through the running phone.
    func call(_ method: String, _ params: [String: JSONValue] = [:]) async throws -> JSONValue {
        try await client.call(
            "call",
            [
                "method": .string(method), "params": .object(params), "device": device,
                "timeout": .integer(Int64(timeout)),
            ]
        )
    }
}
