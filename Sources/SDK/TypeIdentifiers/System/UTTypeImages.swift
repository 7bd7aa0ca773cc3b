extension UTType {
    /// An image of any kind.
    public static let image = system("public.image")
    /// A JPEG image.
    public static let jpeg = system("public.jpeg")
    /// A PNG image.
    public static let png = system("public.png")
    /// A GIF image.
    public static let gif = system("com.compuserve.gif")
    /// A TIFF image.
    public static let tiff = system("public.tiff")
    /// A Windows bitmap.
    public static let bmp = system("com.microsoft.bmp")
    /// A Windows icon.
    public static let ico = system("com.microsoft.ico")
    /// An HEIF image.
    public static let heif = system("public.heif-standard")
    /// An HEIC image.
    public static let heic = system("public.heic")
    /// A WebP image.
    public static let webP = system("org.webmproject.webp")
    /// An SVG image.
    public static let svg = system("public.svg-image")
    /// A camera's raw image.
    public static let rawImage = system("public.camera-raw-image")
    /// An AVIF image. Available on Linux only.
    public static let avif = system("public.avif")
    /// A JPEG XL image. Available on Linux only.
    public static let jpegXL = system("public.jpeg-xl")
}
