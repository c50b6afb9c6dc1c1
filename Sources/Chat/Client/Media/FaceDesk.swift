import Accounts
import AccountsClient
import Blobs
import Chat
import Foundation
import Kernel
import Pictures

/// The own face: the picture that others see of this person. It is a picture like those of messages, which everybody with an account at the hub may
/// fetch for as long as the account names it. Source: `docs/chat-server.md`, "Media".
struct FaceDesk: Sendable {
    let client: AccountClient
    let repository: ChatRepository
    let uploads: UploadClient
    let photos: any PhotoEncoder
    let attachments: Attachments
    let work: BlockingWork

    /// Makes a picture small, upright and without what the camera wrote into it, uploads it, and has the account name it.
    ///
    /// - Parameter file: A path from the root, or the token of a file that a page handed in; nil takes the face away.
    /// - Throws: ``ChatError/notAPicture``, ``ChatError/unreadableFile(_:)``, ``ChatError/attachmentGone``; what the hub says.
    func set(_ file: String?) async throws -> ChatControl.Face {
        guard let file else { return try await name("") }
        let path = file.hasPrefix("/") ? file : try await attachments.file(of: file).path
        let chosen = try await work.run { try MediaFile(path).bytes(atMost: Attachments.byteLimit) }
        guard MediaType(sniffing: chosen)?.isPicture == true else { throw ChatError.notAPicture }
        let limit = ChatPipeline.pictureLimit
        let photo = try await photos.photo(chosen, within: limit, pixelLimit: ChatPipeline.pixelLimit)
        guard photo.bytes.count <= limit else { throw ChatError.tooLong("picture", limit: limit) }
        let key = try await uploads.upload(photo.bytes, as: .image) { _ in }.objectKey
        let face = try await name(key)
        await attachments.remove([file])
        return face
    }

    private func name(_ key: String) async throws -> ChatControl.Face {
        let account = try await client.change(ProfileRequest(avatar: key))
        // It is shown from what is known of people, like any other.
        await repository.refreshProfile(of: account.user)
        return ChatControl.Face(avatar: key.isEmpty ? nil : key)
    }
}
