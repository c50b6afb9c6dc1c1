import Kernel
import QRCodes

/// Why a picture gave no code, named for the page, which has a sentence for what a person can mend.
struct PictureFailure: ClassifiedError {
    let error: QRError

    var description: String { "\(error)" }

    var facts: FailureFacts {
        switch error {
        case .noCode: .kind(.notFound, reason: "noCode")
        case .severalCodes(let count): .kind(.refused, reason: "severalCodes", ["count": .integer(Int64(count))])
        case .notAPicture: .kind(.refused, reason: "notAPicture")
        case .damagedPicture: .kind(.refused, reason: "damagedPicture")
        case .fileTooLarge, .pictureTooLarge: .kind(.tooLarge, reason: "pictureTooLarge")
        case .codeTooLong, .codeIsNotText: .kind(.refused, reason: "otherCode")
        default: .kind(.refused, reason: "pictureNotRead")
        }
    }
}
