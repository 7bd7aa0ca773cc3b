extension UTType {
    /// Any item: a file, a folder or data.
    public static let item = system("public.item")
    /// Content that a person made or can view.
    public static let content = system("public.content")
    /// Content made of several kinds, such as a document with images.
    public static let compositeContent = system("public.composite-content")
    /// A sequence of bytes.
    public static let data = system("public.data")
    /// A folder, or a package that appears as one file.
    public static let directory = system("public.directory")
    /// A folder that a person can open.
    public static let folder = system("public.folder")
    /// A URL.
    public static let url = system("public.url")
    /// A URL of a local file.
    public static let fileURL = system("public.file-url")
    /// An archive of files.
    public static let archive = system("public.archive")
    /// A ZIP archive.
    public static let zip = system("public.zip-archive")
    /// A gzip archive.
    public static let gzip = system("org.gnu.gnu-zip-archive")
    /// A program.
    public static let executable = system("public.executable")
    /// A database.
    public static let database = system("public.database")
    /// A message such as mail.
    public static let message = system("public.message")
    /// A person's address.
    public static let contact = system("public.contact")
    /// An image of a volume.
    public static let diskImage = system("public.disk-image")
    /// A bookmark.
    public static let bookmark = system("public.bookmark")
    /// A font.
    public static let font = system("public.font")
    /// A property list, in any of its forms.
    public static let propertyList = system("com.apple.property-list")
    /// A PDF document.
    public static let pdf = system("com.adobe.pdf")
    /// The supertype of the protocols of media device extensions. Available on Linux only.
    public static let mediaSharingProtocol = system("public.media-sharing-protocol")

    /// Returns a type of the table. An identifier that isn't in the table gives an undeclared type, which the tests
    /// detect.
    static func system(_ identifier: String) -> UTType {
        UTType(TypeRegistry.system.declaration(identifier) ?? TypeDeclaration(identifier: identifier))
    }
}
