//! Fetched archives are checked before anything of them is used.

use std::fs;
use std::io::Write;
use std::process::Command;

use ag_ui_codegen::upstream::{Pin, Upstream};
use ag_ui_codegen::vendor::{
    Error, Fetched, File, fetch, from_archive, sources, store, unpack, verify,
};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::archive;

fn pin(text: &str) -> Pin {
    let base = "[[source]]\nname = \"pkg\"\nversion = \"1.0.0\"\n";
    Upstream::parse(&format!("{base}{text}")).unwrap().sources.remove(0)
}

fn file(path: &str, text: &str) -> File {
    File { path: path.into(), bytes: text.into() }
}

fn map(path: &str, sources: &str, contents: &str) -> File {
    file(path, &format!("{{\"version\":3,\"sources\":{sources},\"sourcesContent\":{contents}}}"))
}

#[test]
fn digests_are_compared() {
    let sha512 = "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
    let sha256 = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
    assert_eq!(verify(sha512, b"abc"), Ok(()));
    assert_eq!(verify(sha256, b"abc"), Ok(()));
    let mismatch = verify(sha512, b"abd").unwrap_err().to_string();
    assert!(mismatch.starts_with(&format!("expected {sha512}, got sha512-")), "{mismatch}");
    assert!(verify("md5-x", b"abc").is_err());
    assert!(verify("", b"abc").is_err());
}

#[test]
fn an_archive_is_used_only_if_it_is_the_pinned_one() {
    let archive = archive(&[("package/a.ts", "text")]);
    let unpinned = pin("kind = \"npm\"\nfiles = [\"a.ts\"]");
    let error = from_archive(&unpinned, &archive).unwrap_err();
    let Error::Unpinned { what, actual } = &error else { panic!("{error}") };
    assert_eq!(what, "pkg 1.0.0");
    let good = pin(&format!("kind = \"npm\"\nfiles = [\"a.ts\"]\nintegrity = \"{actual}\""));
    assert_eq!(from_archive(&good, &archive).unwrap(), [file("a.ts", "text")]);
    let other = pin("kind = \"npm\"\nfiles = [\"a.ts\"]\nintegrity = \"sha512-AAAA\"");
    let message = from_archive(&other, &archive).unwrap_err().to_string();
    assert!(message.starts_with("pkg 1.0.0 is not the archive that vendor/upstream.toml pins: "));
    assert!(message.contains("expected sha512-AAAA, got sha512-"), "{message}");
}

#[test]
fn archives_are_unpacked_without_their_outer_directory() {
    let files = unpack(&archive(&[("package/a.ts", "one"), ("package/b/./c.ts", "two")])).unwrap();
    assert_eq!(files, [file("a.ts", "one"), file("b/c.ts", "two")]);
}

#[test]
fn an_archive_that_reaches_outside_is_refused() {
    for path in
        ["../a.ts", "package/../../a.ts", "/etc/a.ts", "package/..\\a.ts", "package/../../../a"]
    {
        let error = unpack(&archive(&[("package/ok.ts", ""), (path, "")])).unwrap_err();
        assert!(
            matches!(&error, Error::Traversal { path: named } if named == path),
            "{path}: {error}"
        );
    }
}

#[test]
fn links_in_an_archive_are_refused() {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    builder.append_link(&mut header, "package/a.ts", "/etc/passwd").unwrap();
    let archive = builder.into_inner().unwrap().finish().unwrap();
    assert!(matches!(unpack(&archive), Err(Error::Special { path }) if path == "package/a.ts"));
}

#[test]
fn a_damaged_archive_is_refused() {
    let mut damaged = archive(&[("package/a.ts", "text")]);
    damaged.truncate(damaged.len() / 2);
    assert!(matches!(unpack(&damaged), Err(Error::Archive(_))));
    assert!(matches!(unpack(b"no archive"), Err(Error::Archive(_))));
}

#[test]
fn sources_come_out_of_source_maps() {
    let files = [
        map("dist/a.js.map", "[\"../src/a.ts\", \"../src/b.ts\"]", "[\"one\", null]"),
        map("dist/deep/b.js.map", "[\"../../src/a.ts\", \"./c.ts\"]", "[\"one\", \"two\"]"),
        file("dist/types.d.ts.map", "{\"version\":3,\"sources\":[\"../src/a.ts\"]}"),
        file("dist/a.js", "not a map"),
    ];
    let found = sources(&files).unwrap();
    assert_eq!(found, [file("dist/deep/c.ts", "two"), file("src/a.ts", "one")]);
}

#[test]
fn a_source_root_is_followed() {
    let text = "{\"sourceRoot\":\"../src/\",\"sources\":[\"a.ts\"],\"sourcesContent\":[\"one\"]}";
    assert_eq!(sources(&[file("dist/a.js.map", text)]).unwrap(), [file("src/a.ts", "one")]);
}

#[test]
fn source_maps_that_reach_outside_or_contradict_each_other_are_refused() {
    for source in ["../../a.ts", "/etc/passwd", "..\\\\..\\\\a.ts", "webpack:///a.ts"] {
        let map = map("dist/a.js.map", &format!("[\"{source}\"]"), "[\"x\"]");
        assert!(matches!(sources(&[map]), Err(Error::Traversal { .. })), "{source}");
    }
    let root = "{\"sourceRoot\":\"../..\",\"sources\":[\"a.ts\"],\"sourcesContent\":[\"x\"]}";
    assert!(matches!(sources(&[file("a.map", root)]), Err(Error::Traversal { .. })));
    let two = [map("a.map", "[\"s.ts\"]", "[\"x\"]"), map("b.map", "[\"s.ts\"]", "[\"y\"]")];
    assert!(matches!(sources(&two), Err(Error::Conflict { path }) if path == "s.ts"));
    assert!(
        matches!(sources(&[file("a.map", "{")]), Err(Error::SourceMap { path, .. }) if path == "a.map")
    );
}

#[test]
fn a_mirror_gives_the_listed_files_of_a_git_source() {
    let mirror = tempfile::tempdir().unwrap();
    let directory = mirror.path().join("pkg/1.0.0");
    fs::create_dir_all(directory.join("streams/deep")).unwrap();
    for (path, text) in [("streams/a.json", "1"), ("streams/deep/b.json", "2"), ("other.txt", "3")]
    {
        fs::write(directory.join(path), text).unwrap();
    }
    let some = fetch(&pin("kind = \"git\"\nfiles = [\"streams/*.json\"]"), Some(mirror.path()));
    assert_eq!(some.unwrap(), Fetched::Files(vec![file("streams/a.json", "1")]));
    let all = fetch(&pin("kind = \"git\"\nfiles = [\"streams/**\"]"), Some(mirror.path()));
    let expected = vec![file("streams/a.json", "1"), file("streams/deep/b.json", "2")];
    assert_eq!(all.unwrap(), Fetched::Files(expected));
    let missing =
        fetch(&pin("kind = \"git\"\nfiles = [\"*.md\"]"), Some(mirror.path())).unwrap_err();
    assert!(missing.to_string().starts_with("pkg 1.0.0 has no file `*.md`"), "{missing}");
    assert!(missing.to_string().contains("other.txt, streams/a.json"), "{missing}");
}

#[test]
fn an_optional_git_source_is_skipped_only_without_a_mirror() {
    let optional = pin("kind = \"git\"\nfiles = [\"**\"]\noptional = true");
    let skipped = fetch(&optional, None).unwrap();
    assert!(
        matches!(&skipped, Fetched::Skipped(reason) if reason.contains("--mirror DIR")),
        "{skipped:?}"
    );
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(fetch(&optional, Some(empty.path())), Err(Error::NotInMirror { .. })));
    let wanted = pin("kind = \"git\"\nfiles = [\"**\"]");
    assert!(matches!(fetch(&wanted, None), Err(Error::NeedsMirror { .. })));
}

#[test]
fn a_git_source_is_cloned_at_its_commit() {
    let repository = tempfile::tempdir().unwrap();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
        let output = command.args(words).current_dir(repository.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "--quiet"]);
    fs::create_dir(repository.path().join("suite")).unwrap();
    fs::write(repository.path().join("suite/a.json"), "old").unwrap();
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    let commit = git(&["rev-parse", "HEAD"]);
    fs::write(repository.path().join("suite/a.json"), "new").unwrap();
    git(&["commit", "--quiet", "-am", "two"]);
    let pin = pin(&format!(
        "kind = \"git\"\nfiles = [\"*.json\"]\nwithin = \"suite\"\ncommit = \"{commit}\"\nrepository = {:?}",
        repository.path()
    ));
    assert_eq!(fetch(&pin, None).unwrap(), Fetched::Files(vec![file("a.json", "old")]));
}

#[test]
fn storing_replaces_what_was_there() {
    let vendor = tempfile::tempdir().unwrap();
    let pin = pin("kind = \"npm\"\nfiles = [\"**\"]");
    store(vendor.path(), &pin, &[file("old.ts", "1"), file("src/a.ts", "1")]).unwrap();
    store(vendor.path(), &pin, &[file("src/a.ts", "2")]).unwrap();
    let directory = vendor.path().join("npm/pkg/1.0.0");
    assert!(!directory.join("old.ts").exists());
    assert_eq!(fs::read_to_string(directory.join("src/a.ts")).unwrap(), "2");
}

#[test]
fn names_that_lead_out_of_the_vendor_directory_are_refused() {
    for name in ["../x", "/x", "a/../../x", "a\\\\x", "c:x", ""] {
        let text = format!(
            "[[source]]\nkind = \"npm\"\nname = \"{name}\"\nversion = \"1.0.0\"\nfiles = []"
        );
        assert!(Upstream::parse(&text).is_err(), "{name}");
    }
}

#[test]
fn releases_that_do_not_stand_oldest_first_are_refused() {
    let entry = |version: &str| {
        format!("[[source]]\nkind = \"npm\"\nname = \"pkg\"\nversion = \"{version}\"\nfiles = []\n")
    };
    assert!(Upstream::parse(&[entry("0.9.0"), entry("0.10.0")].concat()).is_ok());
    let error = Upstream::parse(&[entry("0.10.0"), entry("0.9.0")].concat()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pkg 0.10.0 stands before pkg 0.9.0; releases stand oldest first"
    );
}

#[test]
fn an_empty_gzip_is_no_archive_with_files() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"").unwrap();
    assert_eq!(unpack(&encoder.finish().unwrap()).unwrap(), []);
}
