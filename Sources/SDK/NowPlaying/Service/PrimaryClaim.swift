/// The app's request to become system primary, made without a session at hand.
package enum PrimaryClaim {
    /// Makes or withdraws the request. It takes effect at once, or as soon as a session has content; a request that has
    /// taken effect can't be withdrawn.
    package static func set(_ isClaimed: Bool) async { await NowPlayingService.shared.setClaim(isClaimed) }
}
