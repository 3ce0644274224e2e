//! Emits the protocol types from the committed model.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

const MODEL: &str = "schema/ag-ui.json";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed={MODEL}");
    match emit() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={MODEL}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn emit() -> Result<(), Box<dyn std::error::Error>> {
    let model = ag_ui_codegen_emit::read_model(&fs::read_to_string(MODEL)?)?;
    let rust = ag_ui_codegen_emit::emit_ag_ui(&model)?;
    let directory = env::var_os("OUT_DIR").map(PathBuf::from).ok_or("OUT_DIR is not set")?;
    fs::write(directory.join("ag_ui.rs"), rust)?;
    Ok(())
}
