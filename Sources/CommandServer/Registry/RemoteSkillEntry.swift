import Commands
package import Rights

/// One skill as the registry describes it: a family of methods that documented programs know. Whether this computer serves it is
/// another question, answered by ``RegistryMethods``. Source: `docs/protocol.md`, "Registry".
package struct RemoteSkillEntry: Hashable, Sendable, Codable {
    package var namespace: String
    package var displayName: String
    package var description: String
    package var category: SkillCategory
    package var risk: Risk
    package var requiresApproval: Bool
    package var transport: SkillTransport
    package var nativeSourceFile: String?
    /// Methods that the family has in the documented programs.
    package var methodCount: Int
    /// The methods that are known by name.
    package var methods: [SkillMethod]

    package init(
        _ namespace: String,
        _ displayName: String,
        _ description: String,
        category: SkillCategory,
        risk: Risk,
        methodCount: Int,
        requiresApproval: Bool? = nil,
        transport: SkillTransport = .handler,
        methods: [SkillMethod] = []
    ) {
        self.namespace = namespace
        self.displayName = displayName
        self.description = description
        self.category = category
        self.risk = risk
        self.requiresApproval = requiresApproval ?? (risk == .privileged)
        self.transport = transport
        self.methodCount = methodCount
        self.methods = methods
    }

    enum CodingKeys: String, CodingKey {
        case namespace
        case displayName
        case description
        case category
        case risk
        case requiresApproval
        case transport
        case nativeSourceFile
        case methodCount
        case methods
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        namespace = try container.decode(String.self, forKey: .namespace)
        displayName = try container.decode(String.self, forKey: .displayName)
        description = try container.decode(String.self, forKey: .description)
        category = try container.decode(SkillCategory.self, forKey: .category)
        risk = try container.decode(Risk.self, forKey: .risk)
        requiresApproval =
            try container.decodeIfPresent(Bool.self, forKey: .requiresApproval) ?? (risk == .privileged)
        transport = try container.decode(SkillTransport.self, forKey: .transport)
        nativeSourceFile = try container.decodeIfPresent(String.self, forKey: .nativeSourceFile)
        methodCount = try container.decode(Int.self, forKey: .methodCount)
        methods = try container.decodeIfPresent([SkillMethod].self, forKey: .methods) ?? []
    }
}
