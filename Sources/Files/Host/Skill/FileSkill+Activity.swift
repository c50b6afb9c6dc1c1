package import CommandServer
import Files
package import Rights
import Transfers

extension Activity.Kind {
    package static let upload = Activity.Kind("upload", needs: .fileWrite, words: "sends a file", isShown: false)
    package static let download = Activity.Kind("download", needs: .fileRead, words: "fetches a file", isShown: false)
}

extension FileSkill: ActivityKeeper {
    package func activities() async -> [Activity] {
        let up = await uploads.underWay().map { upload in
            let record = upload.record
            let path = FileNameText.text(record.folder) + "/" + FileNameText.text(record.name)
            return Activity(.upload, upload.id.hexadecimal, device: upload.caller, detail: path)
        }
        let down = await downloads.all().map { download in
            Activity(
                .download,
                download.id.hexadecimal,
                device: download.caller,
                since: download.beganAt,
                detail: download.path
            )
        }
        return up + down + batches.all.map { activity(of: $0) }
    }

    package func end(_ id: Activity.ID) async -> Bool {
        for upload in await uploads.underWay() where id == Activity(.upload, upload.id.hexadecimal, device: "").id {
            return await uploads.end(upload.id)
        }
        for download in await downloads.all()
        where id == Activity(.download, download.id.hexadecimal, device: "").id {
            return await downloads.end(download.id)
        }
        for batch in batches.all where id == activity(of: batch).id { return batches.end(batch.id) }
        return false
    }

    private func activity(of batch: ActiveBatches.Batch) -> Activity {
        Activity(
            batch.direction == .upload ? .upload : .download,
            batch.id.hexadecimal,
            device: batch.caller,
            since: batch.beganAt,
            detail: batch.path
        )
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        // Whatever still goes on over them is asked for anew.
        if !rights.isDisjoint(with: [.fileRead, .fileWrite]) { direct.revoke(device) }
        if rights.contains(.fileRead) {
            batches.endAll(.download, of: device)
            await downloads.endAll(of: device)
        }
        if rights.contains(.fileWrite) {
            batches.endAll(.upload, of: device)
            await uploads.endAll(of: device)
        }
    }
}
