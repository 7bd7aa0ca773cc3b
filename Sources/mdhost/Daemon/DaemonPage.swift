import Foundation
import HostClient
import HostInterface
import Logging

/// The page in the browser, as far as the daemon starts it.
enum DaemonPage {
    /// Starts a page that is kept on, in the background.
    static func startIfEnabled(logger: Logger) {
        guard let folder = try? HostFolders.page, PageSettings.load(folder: folder).isEnabled else { return }
        // Waits for the page in poll(2).
        Thread.detachNewThread {
            do throws(HostError) {
                try PageLauncher.launch()
            } catch {
                logger.error("\(error.message)", metadata: ["error.code": "\(error.code.rawValue)"])
            }
        }
    }

    /// Starts the page if need be, and opens it as an app's picker.
    ///
    /// - Returns: The link for one browser. It is used if the page was opened.
    static func showPicker(identifier: String, name: String, opens: Bool) async throws(HostError) -> String {
        guard let page = try await PageClient.connect(launching: true) else {
            throw HostError(.hostUnavailable, "The page doesn't answer.")
        }
        let link: String
        do throws(HostError) {
            link = try await page.link(application: (identifier, name))
            await page.close()
        } catch {
            await page.close()
            throw error
        }
        guard opens else { return link }
        guard try await PageOpener.open(link) else {
            throw HostError(
                .notSupported, "No browser can be opened from here.",
                remedy: "Open the page with `mdhost page`, or set DISPLAY for the daemon.")
        }
        return link
    }
}
