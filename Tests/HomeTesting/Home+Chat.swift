package import Capabilities
package import Kernel

extension HubPlan {
    /// A hub of conversations at which anybody may make an account, and nobody is a stranger to anybody.
    ///
    /// - Parameters:
    ///   - feature: The hub's conversations, with the surroundings that a test needs.
    ///   - settings: Of the feature, beside and before these two.
    package static func chat(_ feature: ServedFeatureMaker, _ settings: [String: JSONValue] = [:]) -> HubPlan {
        var plan = HubPlan(features: [feature])
        plan.settings = ["accounts": "anybody", "chatStrangersAsk": false].merging(settings) { $1 }
        return plan
    }
}

extension Home {
    /// A home of one hub of conversations, which is asked over its sockets. Source: ``HubPlan/chat(_:_:)``.
    package static func run(
        chat feature: ServedFeatureMaker,
        _ settings: [String: JSONValue] = [:],
        _ body: @Sendable (HomeHub) async throws -> Void
    ) async throws {
        try await run(hubs: [.chat(feature, settings)], computers: [], phones: []) { home in
            try await body(try home.hub(named: "hub"))
        }
    }
}
