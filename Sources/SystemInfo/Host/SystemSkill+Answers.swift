import CommandServer
import Foundation
import SystemInfo

extension SystemSkill {
    func info(_ query: SystemQuery) async throws -> SystemSummary {
        let processor = try await information.processor()
        return SystemSummary(
            processor: processor,
            usage: try await usage(),
            memory: try await information.memory(),
            disks: try await information.disks(),
            networks: try await information.networks(),
            uptime: try await uptimeSeconds(),
            timestamp: timestamp,
            history: query.history ? recorder.history : nil
        )
    }

    func status() async throws -> ProgramStatus {
        ProgramStatus(
            version: version,
            platform: try await information.operatingSystem().platform,
            uptime: try await uptimeSeconds(),
            timestamp: timestamp
        )
    }

    func processor() async throws -> ProcessorAnswer {
        ProcessorAnswer(try await information.processor(), usage: try await usage())
    }

    func uptime() async throws -> UptimeAnswer {
        let seconds = try await uptimeSeconds()
        return UptimeAnswer(seconds: seconds, bootTime: timestamp - seconds * 1000)
    }

    func hardware() async throws -> HardwareAnswer {
        let facts = try await information.hardware()
        let processor = try await information.processor()
        return HardwareAnswer(
            facts,
            processorModel: processor.model,
            cores: processor.cores,
            memoryTotal: try await information.memory().total,
            disks: try await information.disks()
        )
    }

    func performance() async throws -> PerformanceAnswer {
        let usage = try await usage()
        return PerformanceAnswer(
            usage: usage,
            memory: try await information.memory(),
            load: try await information.processor().load,
            uptime: try await uptimeSeconds(),
            timestamp: timestamp
        )
    }

    func services(_ query: ServiceQuery) async throws -> ServiceList {
        let services = try await information.services(limit: query.limit).prefix(query.limit)
        let fitting = AnswerSize.fitting(services, \.wire)
        return ServiceList(fitting, isTruncated: fitting.count < services.count)
    }

    func logs(_ query: LogQuery) async throws -> LogPage {
        let entries = try await information.logs(query).prefix(query.limit)
        let fitting = AnswerSize.fitting(entries, \.wire)
        return LogPage(fitting, isTruncated: fitting.count < entries.count)
    }

    private func uptimeSeconds() async throws -> Int64 { Int64(try await information.uptime()) }
}
