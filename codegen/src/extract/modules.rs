//! The files of one release, parsed, with their names resolved across imports.

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    BindingPattern, Declaration, ImportDeclarationSpecifier, ModuleExportName, Program, Statement,
    TSEnumDeclaration, TSTypeAliasDeclaration, VariableDeclarator,
};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType, Span};

use super::error::Error;
use super::place::Place;

/// A source file as it was vendored.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path inside the package, with `/`.
    pub path: String,
    /// Content.
    pub text: String,
}

/// A declaration the readers may care about.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    Constant(&'a VariableDeclarator<'a>),
    Enum(&'a TSEnumDeclaration<'a>),
    Alias(&'a TSTypeAliasDeclaration<'a>),
    Interface(Span),
}

/// One parsed file.
pub(crate) struct Module<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    pub(crate) program: &'a Program<'a>,
    /// Declarations in source order.
    pub(crate) items: Vec<(&'a str, Item<'a>)>,
    /// Local name of the zod namespace.
    pub(crate) zod: Option<&'a str>,
    /// Local name → where it comes from.
    imports: BTreeMap<&'a str, Origin<'a>>,
    /// Exported name → where it comes from, for names that are not declared under it here.
    exports: BTreeMap<&'a str, Origin<'a>>,
    /// Files all of whose exports are passed on.
    passes_on: Vec<&'a str>,
}

/// A name in a file; `None` is the file itself.
#[derive(Clone, Copy)]
struct Origin<'a> {
    file: Option<&'a str>,
    name: &'a str,
}

/// All files of one release.
pub(crate) struct Modules<'a> {
    modules: Vec<Module<'a>>,
}

impl<'a> Modules<'a> {
    pub(crate) fn parse(allocator: &'a Allocator, files: &'a [SourceFile]) -> Result<Self, Error> {
        let modules = files.iter().map(|file| parse(allocator, file)).collect::<Result<_, _>>()?;
        Ok(Self { modules })
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Module<'a>> {
        self.modules.iter().find(|module| module.path == path)
    }

    /// The declaration behind `name` as seen inside `module`, and the module it is in.
    pub(crate) fn resolve(
        &self,
        module: &Module<'a>,
        name: &str,
    ) -> Option<(&Module<'a>, &'a str, Item<'a>)> {
        // Every step follows one import or export; a longer chain than there are names is a circle.
        self.follow(module, name, 64)
    }

    fn follow(
        &self,
        module: &Module<'a>,
        name: &str,
        steps: usize,
    ) -> Option<(&Module<'a>, &'a str, Item<'a>)> {
        let steps = steps.checked_sub(1)?;
        if let Some((own, item)) = module.items.iter().find(|(own, _)| *own == name) {
            return Some((self.get(module.path)?, own, *item));
        }
        if let Some(origin) = module.imports.get(name).or_else(|| module.exports.get(name)) {
            let next = match origin.file {
                Some(file) => self.get(&relative(module.path, file))?,
                None if origin.name == name => return None,
                None => module,
            };
            return self.follow(next, origin.name, steps);
        }
        module.passes_on.iter().find_map(|file| {
            let next = self.get(&relative(module.path, file))?;
            self.follow(next, name, steps)
        })
    }
}

impl Module<'_> {
    pub(crate) fn place(&self, node: &impl GetSpan) -> Place {
        self.place_at(node.span())
    }

    pub(crate) fn place_at(&self, span: Span) -> Place {
        Place::new(self.path, self.text, span)
    }
}

fn parse<'a>(allocator: &'a Allocator, file: &'a SourceFile) -> Result<Module<'a>, Error> {
    let parsed = Parser::new(allocator, &file.text, SourceType::ts()).parse();
    if let Some(problem) = parsed.diagnostics.iter().next() {
        let start = problem.labels.iter().next().map_or(0, |label| label.offset());
        return Err(Error::Syntax {
            at: Place::new(&file.path, &file.text, Span::new(start, start)),
            message: problem.message.to_string(),
        });
    }
    let mut module = Module {
        path: &file.path,
        text: &file.text,
        program: allocator.alloc(parsed.program),
        items: Vec::new(),
        zod: None,
        imports: BTreeMap::new(),
        exports: BTreeMap::new(),
        passes_on: Vec::new(),
    };
    for statement in &module.program.body {
        module.take(statement);
    }
    Ok(module)
}

impl<'a> Module<'a> {
    fn take(&mut self, statement: &'a Statement<'a>) {
        match statement {
            Statement::ImportDeclaration(import) => {
                for specifier in import.specifiers.iter().flatten() {
                    self.take_import(import.source.value.as_str(), specifier);
                }
            }
            Statement::ExportDeclaration(export) => self.take_declaration(&export.declaration),
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    let origin = Origin { file: None, name: exported(&specifier.local) };
                    self.exports.insert(exported(&specifier.exported), origin);
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for specifier in &export.specifiers {
                    let file = Some(export.source.value.as_str());
                    let origin = Origin { file, name: exported(&specifier.local) };
                    self.exports.insert(exported(&specifier.exported), origin);
                }
            }
            Statement::ExportAllDeclaration(export) if export.exported.is_none() => {
                self.passes_on.push(export.source.value.as_str());
            }
            _ => {
                if let Some(declaration) = statement.as_declaration() {
                    self.take_declaration(declaration);
                }
            }
        }
    }

    fn take_import(&mut self, source: &'a str, specifier: &'a ImportDeclarationSpecifier<'a>) {
        let is_zod = source == "zod" || source.starts_with("zod/");
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                let (name, local) = (exported(&specifier.imported), specifier.local.name.as_str());
                if is_zod && name == "z" {
                    self.zod = Some(local);
                }
                self.imports.insert(local, Origin { file: Some(source), name });
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) if is_zod => {
                self.zod = Some(specifier.local.name.as_str());
            }
            _ => {}
        }
    }

    fn take_declaration(&mut self, declaration: &'a Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                for variable in &variables.declarations {
                    if let BindingPattern::BindingIdentifier(name) = &variable.id {
                        self.items.push((name.name.as_str(), Item::Constant(variable)));
                    }
                }
            }
            Declaration::TSEnumDeclaration(declaration) => {
                self.items.push((declaration.id.name.as_str(), Item::Enum(declaration)));
            }
            Declaration::TSTypeAliasDeclaration(declaration) => {
                self.items.push((declaration.id.name.as_str(), Item::Alias(declaration)));
            }
            Declaration::TSInterfaceDeclaration(declaration) => {
                let name = declaration.id.name.as_str();
                self.items.push((name, Item::Interface(declaration.span)));
            }
            _ => {}
        }
    }
}

fn exported<'a>(name: &'a ModuleExportName<'a>) -> &'a str {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.as_str(),
        ModuleExportName::IdentifierReference(name) => name.name.as_str(),
        ModuleExportName::StringLiteral(name) => name.value.as_str(),
    }
}

/// The path that `import … from "./types"` in the file `from` means.
fn relative(from: &str, import: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let stem = path.strip_suffix(".js").or_else(|| path.strip_suffix(".ts")).unwrap_or(&path);
    format!("{stem}.ts")
}
