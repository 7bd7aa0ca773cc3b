/// The application's wish to be the first, made without a session at hand.
package enum PrimaryClaim {
    /// Has the application's session ask for the first place: at once, or as soon as one has content; or takes a wish back that
    /// was not fulfilled yet.
    package static func set(_ isClaimed: Bool) async { await NowPlayingService.shared.setClaim(isClaimed) }
}
