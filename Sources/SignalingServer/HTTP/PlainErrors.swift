import HTTPTypes
import Hummingbird

/// Answers a refused request with its status in words, as the observed server does: `Not Found`.
struct PlainErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.body == nil {
            return Response(
                status: error.status,
                headers: [.contentType: "text/plain"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: error.status.reasonPhrase))
            )
        }
    }
}
