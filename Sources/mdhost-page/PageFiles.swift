import HostPage

/// The files of the page, which are part of the program.
enum PageFiles {
    static let all = PageFileSet([
        "api.js": PackageResources.api_js,
        "app.js": PackageResources.app_js,
        "device.js": PackageResources.device_js,
        "devices.js": PackageResources.devices_js,
        "dom.js": PackageResources.dom_js,
        "enter.js": PackageResources.enter_js,
        "icon.svg": PackageResources.icon_svg,
        "icons.js": PackageResources.icons_js,
        "index.html": PackageResources.index_html,
        "model.js": PackageResources.model_js,
        "page.css": PackageResources.page_css,
        "pairing.js": PackageResources.pairing_js,
        "play.js": PackageResources.play_js,
        "player.js": PackageResources.player_js,
        "settings.js": PackageResources.settings_js,
        "sheet.js": PackageResources.sheet_js,
        "slider.js": PackageResources.slider_js,
        "store.js": PackageResources.store_js,
        "stream-worker.js": PackageResources.stream_worker_js,
        "stream.js": PackageResources.stream_js,
        "strings.js": PackageResources.strings_js,
        "toasts.js": PackageResources.toasts_js,
        "where.js": PackageResources.where_js,
    ])
}
