import Commands
import Files
import Foundation
import Kernel
import Pictures
import Transfers

extension FileSkill {
    /// One picture after the other, until the request's time or the answer's room is used up. One that fails spoils none of the others.
    func thumbnails(_ params: FileThumbnails) async throws -> ThumbnailsMade {
        guard let thumbnails else {
            throw RemoteFailure(code: FailureCode.unsupported, message: "This computer makes no pictures small.")
        }
        let end = thumbnails.end
        var room = AnswerCost.budget / 4 * 3
        var made = ThumbnailsMade(files: [])
        for path in params.paths {
            guard !thumbnails.isOver(end) else {
                made.files.append(.refused(code: FailureCode.busy))
                continue
            }
            do {
                let location = try location(path)
                let picture = try await thumbnails.thumbnail(edge: params.edge, on: work) { [access] in
                    try access.openFile(location)
                }
                let isTooMuch = picture.count > room
                if !isTooMuch { room -= picture.count }
                made.files.append(isTooMuch ? .refused(code: FailureCode.quota) : .picture(Data(picture)))
            } catch let error as CancellationError {
                throw error
            } catch let error as PictureError where !error.isOfPicture && error != .busy {
                // Without the program none of them can be made.
                throw error
            } catch {
                made.files.append(.refused(code: Self.thumbnailCode(of: error)))
            }
        }
        return made
    }

    /// A picture that is too large for the program is one for ever; -32004 says that the answer had no room.
    private static func thumbnailCode(of error: any Error) -> Int {
        switch error {
        case is BlockingWorkError: FailureCode.busy
        case PictureError.busy: FailureCode.busy
        case is PictureError: FailureCode.unsupported
        default: code(of: error)
        }
    }
}
