/// The subject of a request, as far as it is authenticated. The subject's rights are no part of it.
package enum Principal: Hashable, Sendable {
    /// A paired device, by its DID.
    case device(String)
    /// A program that showed a token of the bridge, by the token's id.
    case tokenHolder(String)
    /// A person of a hub, on one of that person's devices.
    case account(AccountID, device: String)
    /// A person who operates a hub from elsewhere, by name.
    case admin(String)
    /// This machine's user, by commands and pages.
    case owner
    /// Nothing is proved. What a stranger claims is never another case: the owner's name is a claim like any other.
    case stranger(claiming: String)

    private static let tokenPrefix = "bridge:"
    private static let accountPrefix = "account:"
    private static let adminPrefix = "admin:"
    private static let ownerText = "owner"

    /// The form in tables and messages: `did:…`, `bridge:ID`, `account:NAME/DEVICE`, `admin:NAME`, `owner`; of a stranger its claim.
    package var id: String {
        switch self {
        case .device(let did): did
        case .tokenHolder(let token): Self.tokenPrefix + token
        case .account(let account, let device): "\(Self.accountPrefix)\(account)/\(device)"
        case .admin(let name): Self.adminPrefix + name
        case .owner: Self.ownerText
        case .stranger(let claim): claim
        }
    }

    /// Reads ``id`` where this program wrote it; never a stranger. Nil for another text.
    package init?(id: String) {
        func rest(after prefix: String) -> String? {
            id.hasPrefix(prefix) && id.utf8.count > prefix.utf8.count ? String(id.dropFirst(prefix.count)) : nil
        }
        if id == Self.ownerText {
            self = .owner
        } else if rest(after: "did:") != nil {
            self = .device(id)
        } else if let token = rest(after: Self.tokenPrefix) {
            self = .tokenHolder(token)
        } else if let name = rest(after: Self.adminPrefix) {
            self = .admin(name)
        } else if let parts = rest(after: Self.accountPrefix)?.split(separator: "/", maxSplits: 1), parts.count == 2,
            let account = AccountID(String(parts[0]))
        {
            self = .account(account, device: String(parts[1]))
        } else {
            return nil
        }
    }
}

/// The name of an account of a hub: 1 to 64 of `a` to `z`, `0` to `9`, `.`, `_` and `-`.
package struct AccountID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Nil for any other text.
    package init?(_ text: String) {
        guard text.wholeMatch(of: /[a-z0-9._-]{1,64}/) != nil else { return nil }
        description = text
    }
}
