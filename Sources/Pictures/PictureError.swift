import Commands
package import Kernel

/// Why a picture could not be read or sent. The description is shown to the person.
package enum PictureError: Error, Hashable, Sendable, CustomStringConvertible, ClassifiedError {
    case notAPicture
    case damaged(reason: String)
    case tooLarge(PictureDimensions)
    case doesNotFit(bytes: Int)
    case notEncoded(reason: String)

    /// Width × height that is decoded at most.
    package static let pixelLimit = 64_000_000

    package var facts: FailureFacts {
        switch self {
        case .notAPicture: .code(FailureCode.badParameters)
        case .damaged, .notEncoded: .code(FailureCode.internalError)
        case .tooLarge, .doesNotFit: .code(FailureCode.quota)
        }
    }

    package var description: String {
        switch self {
        case .notAPicture:
            "This is not a picture that the computer can read. Use a PNG or a JPEG."
        case .damaged(let reason):
            "The picture is damaged: \(reason). Try again."
        case .tooLarge(let size):
            "The picture has \(size.width) × \(size.height) pixels, more than the \(Self.pixelLimit / 1_000_000) million "
                + "that are read. Use a smaller one."
        case .doesNotFit(let limit):
            "The picture cannot be made small enough for an answer of \(limit) bytes. Ask for a smaller width."
        case .notEncoded(let reason):
            "The computer could not write the picture: \(reason). Try again."
        }
    }
}
