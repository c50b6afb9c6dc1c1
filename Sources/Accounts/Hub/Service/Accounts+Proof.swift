package import Accounts
import Foundation
import Kernel
import Principals
import Sealing

extension Accounts {
    /// The longest text of a member of a proof, in bytes: a DID has some 56, a signature 86.
    private static let memberLimit = 256
    private static let use = "account challenge"

    /// Makes a challenge for a key to sign.
    ///
    /// - Throws: ``AccountsError/proofRefused`` for a text that is no `did:key` of Ed25519.
    package func challenge(_ request: ChallengeRequest) throws(AccountsError) -> Challenge {
        let did = try key(request.did)
        let secret = Secret()
        challenges.add(secret.hash(for: Self.use), did)
        return Challenge(
            challenge: secret.text,
            expiresIn: Int(AccountsPolicy.challengeLifetime.components.seconds)
        )
    }

    /// Finds out which key signed a request. Its challenge is used up, whether the signature holds or not.
    ///
    /// - Returns: Nil for a request that is not signed.
    /// - Throws: ``AccountsError/incompleteProof``, ``AccountsError/proofRefused``.
    func key(of request: some ProvenRequest, _ call: AccountCall) throws(AccountsError) -> DID? {
        if request.did == nil, request.challenge == nil, request.signature == nil { return nil }
        guard let text = request.did, let challenge = request.challenge, let signed = request.signature else {
            throw .incompleteProof
        }
        let did = try key(text)
        guard challenge.utf8.count <= Self.memberLimit, signed.utf8.count <= Self.memberLimit,
            let signature = Base64URL.decode(signed),
            challenges.take(SecretHash(of: challenge, for: Self.use)) == did
        else { throw .proofRefused }
        do {
            try AccountProof.verify(
                signature,
                of: call.json,
                for: type(of: request).purpose,
                challenge: challenge,
                host: call.host,
                did: did
            )
        } catch {
            throw .proofRefused
        }
        return did
    }

    private func key(_ text: String) throws(AccountsError) -> DID {
        // A text that is no DID is refused like a signature that does not hold.
        guard text.utf8.count <= Self.memberLimit, let did = try? DID(text), did.signingKey != nil else {
            throw .proofRefused
        }
        return did
    }
}
