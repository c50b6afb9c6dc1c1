import Foundation
import Kernel
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import WebClient

/// Looks at the certificate of a server that was refused, to say what it lacks. It believes nothing, and sends nothing but the beginning of TLS.
struct CertificateProbe: Sendable {
    let url: WebURL
    let limit: Duration
    let tls: TLSConfiguration

    /// Nil where the server shows no certificate: it speaks no TLS, or none in common.
    func fault() async -> WebClientError.CertificateFault? {
        let (certificates, seen) = AsyncStream.makeStream(
            of: NIOSSLCertificate.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        guard let context = try? NIOSSLContext(configuration: tls) else { return nil }
        let isAddress = (try? SocketAddress(ipAddress: url.host, port: url.port)) != nil
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(limit))
            .channelInitializer { [url] channel in
                channel.closeFuture.whenComplete { _ in seen.finish() }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context,
                        serverHostname: isAddress ? nil : url.host,
                        customVerificationCallback: { certificates, verdict in
                            if let own = certificates.first { seen.yield(own) }
                            verdict.succeed(.failed)
                        }
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        guard let channel = try? await bootstrap.connect(host: url.host, port: url.port).get() else { return nil }
        let end = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
        defer {
            end.cancel()
            channel.close(promise: nil)
        }
        guard let own = await certificates.first(where: { _ in true }) else { return nil }
        let now = time(nil)
        if own.notValidAfter < now { return .expired }
        return own.notValidBefore > now ? .notYetValid : .notTrusted
    }
}
