//! Emits the types of the basic catalog from its committed document.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

const DOCUMENT: &str = "schema/basic.json";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    match emit() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={DOCUMENT}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn emit() -> Result<(), Box<dyn std::error::Error>> {
    let rust = ag_ui_codegen_emit::a2ui::emit_catalog(&fs::read_to_string(DOCUMENT)?)?;
    let directory = env::var_os("OUT_DIR").map(PathBuf::from).ok_or("OUT_DIR is not set")?;
    fs::write(directory.join("basic.rs"), rust)?;
    Ok(())
}
