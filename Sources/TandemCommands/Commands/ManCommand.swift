import ArgumentParser
import Foundation
import Kernel

struct ManCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print the manual page, which bin/install puts where man(1) looks.",
        discussion: "To read it without installing it: tandem man | man -l -",
        shouldDisplay: false
    )

    func run() async throws {
        try Output.result(ManualPage.text(of: try CommandDescription.ofProgram(), date: Date()))
    }
}
