import Kernel
import QRCodes

/// Why a picture gave no code, named for the page, which has a sentence for what a person can mend.
struct PictureFailure: NamedFailure, CustomStringConvertible {
    let error: QRError

    var description: String { "\(error)" }

    var failureKind: FailureKind {
        switch error {
        case .noCode: .notFound
        case .fileTooLarge, .pictureTooLarge: .tooLarge
        default: .refused
        }
    }

    var reason: String {
        switch error {
        case .noCode: "noCode"
        case .severalCodes: "severalCodes"
        case .notAPicture: "notAPicture"
        case .damagedPicture: "damagedPicture"
        case .fileTooLarge, .pictureTooLarge: "pictureTooLarge"
        case .codeTooLong, .codeIsNotText: "otherCode"
        default: "pictureNotRead"
        }
    }

    var values: [String: JSONValue] {
        if case .severalCodes(let count) = error { ["count": .integer(Int64(count))] } else { [:] }
    }
}
