import Foundation
import Testing

@testable import TypeIdentifiers

@Suite struct SystemTypesTests {
    @Test func everyRowIsWhole() {
        let rows = SystemTypes.table.split(separator: "\n")
        #expect(rows.count == SystemTypes.all.count && rows.count > 100)
        for row in rows {
            #expect(row.filter { $0 == "|" }.count == 4, "\(row)")
        }
    }

    @Test func everyParentIsARowAndNoIdentifierComesTwice() {
        let identifiers = SystemTypes.all.map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
        for type in SystemTypes.all {
            for parent in type.parents { #expect(identifiers.contains(parent), "\(type.identifier): \(parent)") }
            #expect(type.description?.isEmpty == false && !type.identifier.isEmpty)
        }
    }

    @Test func tagsAreWellFormed() {
        for type in SystemTypes.all {
            for tag in type.tags["public.mime-type"] ?? [] {
                #expect(tag.filter { $0 == "/" }.count == 1 && !tag.contains("*"), "\(type.identifier): \(tag)")
            }
            for tag in type.tags["public.filename-extension"] ?? [] {
                #expect(tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }, "\(type.identifier): \(tag)")
            }
        }
    }

    /// Everything with a file or MIME type of its own must be found under `.data`, the default of the lookups.
    @Test func everyTypeWithATagIsData() {
        for type in SystemTypes.all where !type.tags.isEmpty {
            #expect(UTType(type).conforms(to: .data), "\(type.identifier)")
        }
    }

    static let named: [UTType] = [
        .item, .content, .compositeContent, .data, .directory, .folder, .url, .fileURL, .archive, .zip, .gzip,
        .executable, .database, .message, .contact, .diskImage, .bookmark, .font, .propertyList, .pdf,
        .mediaSharingProtocol, .text, .plainText, .utf8PlainText, .delimitedText, .commaSeparatedText, .xml, .html,
        .json, .yaml, .sourceCode, .playlist, .m3uPlaylist, .plsPlaylist, .mpegDASH, .subtitle, .webVTT, .subRip,
        .audiovisualContent, .movie, .video, .quickTimeMovie, .mpeg4Movie, .appleProtectedMPEG4Video, .mpeg,
        .mpeg2Video, .mpeg2TransportStream, .avi, .threeGPP, .matroskaMovie, .webM, .audio, .mp3, .mpeg4Audio,
        .appleProtectedMPEG4Audio, .aiff, .wav, .midi, .aac, .ac3, .flac, .oggAudio, .opus, .linearPCM, .image, .jpeg,
        .png, .gif, .tiff, .bmp, .ico, .heif, .heic, .webP, .svg, .rawImage, .avif, .jpegXL,
    ]

    @Test func everyNamedTypeIsARowOfItsOwn() {
        for type in Self.named { #expect(type.localizedDescription != nil, "\(type)") }
        #expect(Set(Self.named).count == Self.named.count)
    }
}
