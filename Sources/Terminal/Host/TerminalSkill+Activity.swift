package import CommandServer
import Foundation
import Kernel
package import Rights
import Terminal

extension TerminalSkill: ActivityKeeper {
    package func activities() async -> [Activity] {
        var activities: [Activity] = []
        for session in sessions.values where session.isAlive {
            activities.append(Self.activity(of: session))
            for device in await session.watchers where device != session.device {
                activities.append(Activity(.terminalView, "\(session.id):\(device)", device: device))
            }
        }
        return activities
    }

    static func activity(of session: TerminalSession) -> Activity {
        Activity(
            .terminal,
            session.id,
            device: session.device,
            since: Date(millisecondsSince1970: session.createdAtMilliseconds),
            detail: "\(session.terminal.shell) (process \(session.terminal.processID))",
            program: Activity.Program(name: session.terminal.shell, process: Int(session.terminal.processID))
        )
    }

    package func end(_ id: Activity.ID) async -> Bool {
        for session in sessions.values where session.isAlive {
            if id == Self.activity(of: session).id {
                await close(session)
                return true
            }
            for device in await session.watchers
            where id == Activity(.terminalView, "\(session.id):\(device)", device: device).id {
                await session.unsubscribe(device)
                return true
            }
        }
        return false
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        guard rights.contains(.terminal) else { return }
        // Side by side: a shell that ignores its end takes two seconds.
        await withDiscardingTaskGroup { group in
            for session in sessions.values {
                let ends = session.device == device && session.isAlive && !kept.contains(.terminal)
                group.addTask {
                    await session.unsubscribe(device)
                    if ends { await self.close(session) }
                }
            }
        }
    }
}

extension Activity.Kind {
    /// A shell that the phone opened.
    package static let terminal = Activity.Kind(
        "terminal",
        needs: .terminal,
        words: "has a shell open",
        isShown: true,
        mayOutliveRight: true
    )
    /// Another phone's shell, whose output the phone gets.
    package static let terminalView = Activity.Kind(
        "terminal-view",
        needs: .terminal,
        words: "watches another phone's shell",
        isShown: true
    )
}
