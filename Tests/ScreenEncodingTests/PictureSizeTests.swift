import ScreenEncoding
import Testing

@Suite struct PictureSizeTests {
    private static let limit = PictureSize(width: 1280, height: 720)

    @Test(arguments: [
        (PictureSize(width: 1920, height: 1080), PictureSize(width: 1280, height: 720)),
        (PictureSize(width: 1920, height: 1200), PictureSize(width: 1152, height: 720)),
        (PictureSize(width: 1080, height: 1920), PictureSize(width: 404, height: 720)),
        (PictureSize(width: 641, height: 361), PictureSize(width: 640, height: 360)),
        (PictureSize(width: 10_000, height: 1), PictureSize(width: 1280, height: 2)),
        (PictureSize(width: 0, height: 0), PictureSize(width: 2, height: 2)),
    ])
    func itFitsWithEvenSides(size: PictureSize, fitted: PictureSize) {
        #expect(size.fitting(within: Self.limit) == fitted)
    }
}
