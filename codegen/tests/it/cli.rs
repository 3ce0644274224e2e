//! Commands, their output and their exit status.

use std::ffi::OsString;
use std::fs;

use ag_ui_codegen::{Error, run};

use crate::support::Repository;

fn command(repository: &Repository, words: &[&str]) -> (String, Result<(), Error>) {
    let root = ["--root".into(), repository.root().into()];
    let words = words.iter().map(OsString::from);
    let mut out = Vec::new();
    let result = run(root.into_iter().chain(words), &mut out);
    (String::from_utf8(out).unwrap(), result)
}

fn failure(repository: &Repository, words: &[&str]) -> (u8, String) {
    let (_, result) = command(repository, words);
    let error = result.unwrap_err();
    (error.exit_code(), error.to_string())
}

#[test]
fn help_names_every_command() {
    let mut out = Vec::new();
    run(["--help".into()], &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for word in ["vendor", "--mirror", "model", "check", "--latest", "expand", "--root"] {
        assert!(text.contains(word), "{word}");
    }
    assert!(!text.contains("allow-missing-docs"));
    assert!(text.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_wrong_command_line_is_refused() {
    let repository = Repository::new();
    for words in [&["chek"][..], &["check", "--mirror", "x"], &["model", "more"], &["--lates"]] {
        let (code, message) = failure(&repository, words);
        assert_eq!(code, 2);
        assert!(message.contains("--help"), "{message}");
    }
}

#[test]
fn a_directory_that_is_no_repository_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--root".into(), directory.path().into(), "check".into()];
    let error = run(arguments, &mut Vec::new()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().starts_with("no vendor/upstream.toml in "), "{error}");
}

#[test]
fn what_is_not_there_yet_names_the_command_that_makes_it() {
    let repository = Repository::new();
    let (code, message) = failure(&repository, &["check"]);
    assert_eq!(code, 2);
    assert!(message.contains("run `cargo run -p ag-ui-codegen -- model` first"), "{message}");
    fs::remove_file(repository.path("vendor/npm/@ag-ui/core/1.0.0/types.ts")).unwrap();
    let (code, message) = failure(&repository, &["model"]);
    assert_eq!(code, 2);
    assert!(message.contains("types.ts is not there; run `cargo run -p ag-ui-codegen -- vendor`"));
}

#[test]
fn files_that_are_wrong_are_named() {
    let cases = [
        ("vendor/upstream.toml", "[[source]]\nkind = \"ftp\""),
        ("schema/ag-ui.overlay.json", "{"),
        ("schema/ag-ui.docs.toml", "[Role]\ntext = \"x\""),
    ];
    for (path, text) in cases {
        let repository = Repository::new();
        repository.write(path, text);
        let (code, message) = failure(&repository, &["model"]);
        assert_eq!(code, 2);
        assert!(message.ends_with(&format!("{path} is wrong")), "{message}");
    }
}

#[test]
fn findings_keep_the_model_from_being_written() {
    // The repairs of AG-UI do not fit the small sources, and none of them may pass in silence.
    let repository = Repository::new();
    repository.name_the_role();
    let (out, result) = command(&repository, &["model"]);
    assert_eq!(result.unwrap_err().exit_code(), 1);
    assert!(
        out.starts_with("the model is not written, for these reasons:\nrepair no longer applies: ")
    );
    assert!(!repository.path("schema/ag-ui.json").exists());
}

#[test]
fn a_check_with_findings_prints_them_and_counts_them() {
    let repository = Repository::with_model();
    repository.name_the_role();
    let (out, result) = command(&repository, &["check"]);
    let error = result.unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert_eq!(error.to_string(), format!("{} differences", out.lines().count()));
    assert!(out.lines().any(|line| line.starts_with("repair no longer applies: rename ")), "{out}");
}

/// Runs the program with a stand-in for npm: `pack` leaves an archive, everything else fails.
#[cfg(unix)]
fn with_npm(repository: &Repository, words: &[&str]) -> (Option<i32>, String, String) {
    use std::os::unix::fs::PermissionsExt;

    let archive = crate::support::archive(&[("package/src/events.ts", "text")]);
    fs::write(repository.path("events.tgz"), archive).unwrap();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = pack ] || {{ echo 'npm error code E404' >&2; exit 1; }}\ncp '{}' .\n",
        repository.path("events.tgz").display()
    );
    repository.write("bin/npm", &script);
    fs::set_permissions(repository.path("bin/npm"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ag-ui-codegen"))
        .args(words)
        .current_dir(repository.root())
        .env("PATH", format!("{}:{path}", repository.path("bin").display()))
        .env_remove("AG_UI_VENDOR_MIRROR")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[cfg(unix)]
#[test]
fn vendor_unpacks_only_the_pinned_archive() {
    let repository = Repository::new();
    let pins =
        "[[source]]\nkind = \"npm\"\nname = \"pkg\"\nversion = \"1.0.0\"\nfiles = [\"src/*.ts\"]\n";
    repository.write("vendor/upstream.toml", &format!("{pins}integrity = \"sha512-other\""));
    let (code, _, error) = with_npm(&repository, &["vendor"]);
    assert_eq!(code, Some(2), "{error}");
    let start = "error: pkg 1.0.0 is not the archive that vendor/upstream.toml pins: expected \
                 sha512-other, got ";
    let actual = error.strip_prefix(start).unwrap_or_else(|| panic!("{error}")).trim();
    assert!(!repository.path("vendor/npm/pkg").exists());
    repository.write("vendor/upstream.toml", &format!("{pins}integrity = \"{actual}\""));
    let (code, out, _) = with_npm(&repository, &["vendor"]);
    assert_eq!((code, out.as_str()), (Some(0), "pkg 1.0.0: 1 files\n"));
    assert_eq!(repository.read("vendor/npm/pkg/1.0.0/src/events.ts"), "text");
}

#[cfg(unix)]
#[test]
fn a_registry_that_fails_is_an_error_in_its_own_words() {
    let (code, out, error) = with_npm(&Repository::new(), &["check", "--latest"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    let expected =
        "error: `npm view --json @ag-ui/core version dist.integrity` failed\nnpm error code E404\n";
    assert_eq!(error, expected);
}

#[test]
fn expand_prints_rust() {
    let repository = Repository::with_model();
    let model = r#"{
      "format": 1, "protocol": "ag-ui", "protocolVersion": "1.0", "sources": [],
      "types": [
        { "name": "Role", "docs": "Who speaks.", "since": "1.0.0", "shape": { "strings": {
          "members": [{ "value": "user", "docs": "A person.", "since": "1.0.0" }] } } }
      ]
    }"#;
    repository.write("schema/ag-ui.json", model);
    let (out, result) = command(&repository, &["expand"]);
    result.unwrap();
    assert!(out.contains("pub enum Role"), "{out}");
}
