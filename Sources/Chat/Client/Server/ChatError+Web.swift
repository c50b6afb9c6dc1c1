import Accounts
import AccountsClient
import Chat
import Transport
import WebClient

extension ChatError {
    /// What a failed request means to a chat.
    init(_ error: WebClientError) {
        self =
            switch error {
            case .timedOut(_, _, let limit): .timedOut(after: limit)
            case .bodyTooLarge(_, let limit): .tooLong("answer", limit: Int(clamping: limit))
            case .headTooLarge(_, let limit): .tooLong("answer", limit: limit)
            case .brokenAnswer, .malformedURL, .malformedField, .wrongBodyLength: .malformed("answer")
            case .cancelled, .closed: .cancelled
            default: .unreachable
            }
    }

    /// Why there is no access token.
    init(tokenFailure error: any Error) {
        self =
            switch error {
            case let error as ChatError: error
            case is CancellationError: .cancelled
            case AccountClientError.signedOut, AccountClientError.notSignedIn: .noAccount
            case AccountClientError.unreachable(let error): ChatError(error)
            case AccountClientError.noAccounts: .noChat
            case AccountClientError.redirected: .redirected
            case AccountClientError.clockWrong: .refused(.tokenNotYetValid)
            case AccountClientError.refused(let failure): ChatError(failure)
            default: .unreachable
            }
    }
}
