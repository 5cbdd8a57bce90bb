//! Identifies files by their first bytes, and by their extension.

/// The family of a file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A native program or an installer.
    Program,
    /// Code that a runtime loads without its source: Python, Java, WebAssembly, Lua.
    Bytecode,
    /// A container of other files.
    Archive,
    /// An office document, book or package that is a ZIP archive by design.
    Package,
    /// A picture.
    Image,
    /// A font.
    Font,
    /// Audio or video.
    Media,
    /// A PDF, or an office document in an old format.
    Document,
    /// A database.
    Database,
    /// A text, a script among them.
    Text,
}

/// Magic bytes, and the formats that begin with them.
const MAGIC: &[(&[u8], Family, &str)] = &[
    (b"\x7fELF", Family::Program, "an ELF program"),
    (b"\xcf\xfa\xed\xfe", Family::Program, "a Mach-O program"),
    (b"\xce\xfa\xed\xfe", Family::Program, "a Mach-O program"),
    (b"\xfe\xed\xfa\xcf", Family::Program, "a Mach-O program"),
    (b"\xfe\xed\xfa\xce", Family::Program, "a Mach-O program"),
    (b"dex\n", Family::Program, "an Android program"),
    (b"!<arch>\n", Family::Program, "a package or library of object code"),
    (b"\xed\xab\xee\xdb", Family::Program, "an RPM package"),
    (b"L\0\0\0\x01\x14\x02\0", Family::Program, "a Windows shortcut"),
    (b"\xca\xfe\xba\xbe", Family::Bytecode, "Java bytecode or a Mach-O program"),
    (b"\0asm", Family::Bytecode, "WebAssembly"),
    (b"\x1bLua", Family::Bytecode, "Lua bytecode"),
    (b"PK\x03\x04", Family::Archive, "a ZIP archive"),
    (b"PK\x05\x06", Family::Archive, "a ZIP archive"),
    (b"\x1f\x8b", Family::Archive, "a gzip archive"),
    (b"BZh", Family::Archive, "a bzip2 archive"),
    (b"\xfd7zXZ\0", Family::Archive, "an xz archive"),
    (b"\x28\xb5\x2f\xfd", Family::Archive, "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", Family::Archive, "a 7z archive"),
    (b"Rar!\x1a\x07", Family::Archive, "a RAR archive"),
    (b"MSCF\0\0\0\0", Family::Archive, "a cabinet archive"),
    (b"\x89PNG\r\n\x1a\n", Family::Image, "a PNG image"),
    (b"\xff\xd8\xff", Family::Image, "a JPEG image"),
    (b"GIF8", Family::Image, "a GIF image"),
    (b"II*\0", Family::Image, "a TIFF image"),
    (b"MM\0*", Family::Image, "a TIFF image"),
    (b"\0\0\x01\0", Family::Image, "an icon"),
    (b"8BPS", Family::Image, "a Photoshop image"),
    (b"%PDF-", Family::Document, "a PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Family::Document, "an office document"),
    (b"wOFF", Family::Font, "a font"),
    (b"wOF2", Family::Font, "a font"),
    (b"OTTO", Family::Font, "a font"),
    (b"\0\x01\0\0\0", Family::Font, "a font"),
    (b"ttcf", Family::Font, "a font"),
    (b"ID3", Family::Media, "a sound"),
    (b"OggS", Family::Media, "a sound"),
    (b"fLaC", Family::Media, "a sound"),
    (b"\x1aE\xdf\xa3", Family::Media, "a film"),
    (b"SQLite format 3\0", Family::Database, "a SQLite database"),
    (b"#!", Family::Text, "a script"),
];

/// Extensions in lower case, by family, most common first.
const EXTENSIONS: &[(Family, &str)] = &[
    (
        Family::Text,
        "md txt json jsonc jsonl yaml yml toml csv tsv xml html htm css js mjs cjs ts tsx jsx py sh bash zsh rb pl php ps1 bat cmd svg ini cfg conf log rst tex sql go rs java c h cpp r lua",
    ),
    (
        Family::Program,
        "exe com dll so dylib elf bin msi msix scr pif cpl sys ocx deb rpm apk ipa pkg dmg app appimage run o obj a lib lnk snap flatpak xpi crx node",
    ),
    (Family::Bytecode, "pyc pyo pyd class wasm luac jsc beam elc"),
    (
        Family::Archive,
        "zip tar gz tgz bz2 tbz tbz2 xz txz zst tzst lz lzma 7z rar cab iso img jar war ear whl egg gem nupkg vsix z ar cpio skill",
    ),
    (
        Family::Package,
        "docx docm dotx pptx pptm potx xlsx xlsm xltx odt ods odp odg ott epub key numbers pages vsdx thmx kmz sketch 3mf usdz mxl xmind ipynb",
    ),
    (Family::Image, "png jpg jpeg gif webp bmp ico tif tiff avif heic psd icns"),
    (Family::Font, "ttf otf woff woff2 ttc eot"),
    (Family::Media, "mp3 mp4 wav ogg flac webm mov m4a avi mkv aac opus mid"),
    (Family::Document, "pdf doc xls ppt"),
    (
        Family::Database,
        "db sqlite sqlite3 parquet arrow npy npz pkl pickle h5 hdf5 pt pth onnx safetensors gguf",
    ),
];

/// The family and name of the format that begins with these bytes; `None` if they are ambiguous.
pub fn kind(head: &[u8]) -> Option<(Family, &'static str)> {
    let begins = |magic: &[u8]| head.starts_with(magic);
    if let Some((_, family, name)) = MAGIC.iter().find(|(magic, ..)| begins(magic)) {
        return Some((*family, name));
    }
    let at = |from: usize, magic: &[u8]| head.get(from..).is_some_and(|rest| rest.starts_with(magic));
    let is_python = at(1, b"\x0d\x0d\x0a") && !head.is_empty();
    let is_windows = begins(b"MZ") && head[2..head.len().min(64)].contains(&0);
    match () {
        () if is_python => Some((Family::Bytecode, "Python bytecode")),
        () if is_windows => Some((Family::Program, "a Windows program")),
        () if at(257, b"ustar") => Some((Family::Archive, "a tar archive")),
        () if begins(b"RIFF") && at(8, b"WEBP") => Some((Family::Image, "a WebP image")),
        () if begins(b"RIFF") => Some((Family::Media, "a sound or film")),
        () if begins(b"BM") && at(6, b"\0\0\0\0") => Some((Family::Image, "a bitmap")),
        () if at(4, b"ftypavif") || at(4, b"ftyphei") => Some((Family::Image, "an image")),
        () if at(4, b"ftyp") => Some((Family::Media, "a film")),
        () => None,
    }
}

/// The family that an extension indicates; `None` for an unknown extension.
pub fn promised(extension: &str) -> Option<Family> {
    let extension = extension.to_ascii_lowercase();
    EXTENSIONS
        .iter()
        .find(|(_, names)| names.split(' ').any(|name| name == extension))
        .map(|(family, _)| *family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_what_a_file_is() {
        for (head, expected) in [
            (&b"\x7fELF\x02"[..], Some(Family::Program)),
            (b"MZ\x90\0\x03\0", Some(Family::Program)),
            (b"MZ is a word", None),
            (b"\xa7\x0d\x0d\x0a\0\0", Some(Family::Bytecode)),
            (b"PK\x03\x04", Some(Family::Archive)),
            (b"\x89PNG\r\n\x1a\n", Some(Family::Image)),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some(Family::Image)),
            (b"#!/bin/sh", Some(Family::Text)),
            (b"", None),
            (b"plain", None),
        ] {
            assert_eq!(kind(head).map(|(family, _)| family), expected, "{head:?}");
        }
        assert_eq!((promised("PNG"), promised("odd"), promised("")), (Some(Family::Image), None, None));
    }
}
