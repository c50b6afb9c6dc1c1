import Commands
import Kernel

extension RemoteError {
    /// The link is gone or slow: the same call may work later.
    static func isPassing(_ error: any Error) -> Bool {
        if (error as? any ClassifiedError)?.facts.isAbsence == true { return true }
        return switch error as? RemoteError {
        case .timeout, .notConnected, .allTransportsFailed, .tooManyWaiting: true
        case .notPaired, .malformedResult, .resultTooLarge, .invalidArgument, .invalidRequest, nil: false
        }
    }
}

extension Peer {
    /// Calls a method of terminals, and gives the computer's refusals their sentences.
    ///
    /// - Throws: ``TerminalError``; else as ``Peer/call(_:_:timeout:)-(String,_,_)``.
    func ask<Parameters, Answer>(
        _ method: Method<Parameters, Answer>,
        _ params: Parameters
    ) async throws -> Answer {
        do {
            return try await call(method, params)
        } catch let failure as RemoteFailure {
            throw TerminalError(failure) ?? failure as any Error
        }
    }
}
