import Commands
package import Kernel

/// Why a picture could not be read or sent. The description is shown to the person.
package enum PictureError: Error, Hashable, Sendable, CustomStringConvertible, ClassifiedError {
    case notAPicture
    case damaged(reason: String)
    /// - Parameter limit: Width × height that is decoded at most.
    case tooLarge(PictureDimensions, limit: Int = PictureError.pixelLimit)
    case fileTooLarge(limit: Int)
    case doesNotFit(bytes: Int)
    case notEncoded(reason: String)
    /// The program that reads pictures was ended over this one.
    case givenUp(reason: String)
    case programMissing(path: String)
    case programFails(reason: String)
    /// As many pictures wait as may.
    case busy

    /// Width × height that is decoded at most.
    package static let pixelLimit = 64_000_000

    /// Whether another picture in its place would do.
    package var isOfPicture: Bool {
        switch self {
        case .notAPicture, .damaged, .tooLarge, .fileTooLarge, .doesNotFit, .givenUp: true
        case .notEncoded, .programMissing, .programFails, .busy: false
        }
    }

    package var facts: FailureFacts {
        switch self {
        case .notAPicture: .code(FailureCode.badParameters)
        case .damaged, .notEncoded, .givenUp, .programFails: .code(FailureCode.internalError)
        case .tooLarge, .fileTooLarge, .doesNotFit: .code(FailureCode.quota)
        case .programMissing: .code(FailureCode.unsupported)
        case .busy: .code(FailureCode.busy)
        }
    }

    package var description: String {
        switch self {
        case .notAPicture:
            "This is not a picture that the computer can read. Use a PNG or a JPEG."
        case .damaged(let reason):
            "The picture is damaged: \(reason). Try again."
        case .tooLarge(let size, let limit):
            "The picture has \(size.width) × \(size.height) pixels, more than the \(limit / 1_000_000) million "
                + "that are read. Use a smaller one."
        case .fileTooLarge(let limit):
            "The picture has more than the \(limit >> 20) MiB that are read. Use a smaller one."
        case .doesNotFit(let limit):
            "The picture cannot be made small enough for an answer of \(limit) bytes. Ask for a smaller width."
        case .notEncoded(let reason):
            "The computer could not write the picture: \(reason). Try again."
        case .givenUp(let reason):
            "The picture was given up, because the program that reads pictures \(reason). Use another picture."
        case .programMissing(let path):
            "The program that reads pictures is missing at \(path). Run bin/install, or set TANDEM_PICTURES to its path."
        case .programFails(let reason):
            "The program that reads pictures does not work here: it \(reason). Install libvips42, and run bin/install again."
        case .busy:
            "Too many pictures wait at the computer already. Try again when some are done."
        }
    }
}
