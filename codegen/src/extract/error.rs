//! What can be wrong with a source file.

use super::place::Place;

/// A source file says something that has no reading yet.
///
/// Each message names file, line and column, quotes the line and says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not TypeScript.
    #[error("{at}: syntax error: {message}\n    | {}", at.excerpt())]
    Syntax {
        /// Where the parser stopped.
        at: Place,
        /// The parser's own words.
        message: String,
    },
    /// A `z.name(…)` that the reader has not been taught.
    #[error(
        "{at}: unknown zod constructor `z.{name}`\n    | {}\n  help: say what it accepts in \
         codegen/src/extract/zod/constructors.rs",
        at.excerpt()
    )]
    Constructor {
        /// Where it is called.
        at: Place,
        /// Its name.
        name: String,
    },
    /// A `.name(…)` that the reader has not been taught, or not on this kind of schema.
    #[error(
        "{at}: unknown zod call `.{name}()` on {receiver}\n    | {}\n  help: say what it changes \
         in codegen/src/extract/zod/methods.rs",
        at.excerpt()
    )]
    Method {
        /// Where it is called.
        at: Place,
        /// Its name.
        name: String,
        /// What it is called on.
        receiver: &'static str,
    },
    /// A call with arguments of an unexpected form.
    #[error(
        "{at}: `{call}` takes {wanted} here\n    | {}\n  help: teach the reader this form where \
         `{call}` is read in codegen/src/extract/zod",
        at.excerpt()
    )]
    Argument {
        /// Where the argument, or the call without it, stands.
        at: Place,
        /// The call.
        call: &'static str,
        /// What the reader understands.
        wanted: &'static str,
    },
    /// An expression where a schema is needed.
    #[error(
        "{at}: not a schema expression the reader knows\n    | {}\n  help: schemas are calls on \
         `z`, calls on other schemas, or names of them; teach other forms to \
         codegen/src/extract/zod.rs",
        at.excerpt()
    )]
    Expression {
        /// Where it stands.
        at: Place,
    },
    /// A function given to `refine`, `transform` or `custom` whose meaning is not known.
    #[error(
        "{at}: the function given to `{call}` has no known meaning\n    | {}\n  help: add it to \
         codegen/src/extract/zod/predicates.rs, or make it a note with `superRefine`",
        at.excerpt()
    )]
    Predicate {
        /// Where the function stands.
        at: Place,
        /// The call it is given to.
        call: &'static str,
    },
    /// A name that no given file declares.
    #[error(
        "{at}: `{name}` is not declared in the files of this release\n    | {}\n  help: list the \
         file that declares it in vendor/upstream.toml",
        at.excerpt()
    )]
    Unresolved {
        /// Where it is used.
        at: Place,
        /// The name.
        name: String,
    },
    /// A schema that contains itself.
    #[error(
        "{at}: `{name}` is made of itself\n    | {}\n  help: recursive schemas are not supported \
         by codegen/src/extract/zod.rs yet",
        at.excerpt()
    )]
    Cycle {
        /// Where the circle closes.
        at: Place,
        /// The schema.
        name: String,
    },
    /// A variant of a discriminated union that its tag does not select.
    #[error(
        "{at}: variant `{variant}` has no string literal in its field `{tag}`\n    | {}\n  help: \
         every variant of a union is an object whose tag field is one literal",
        at.excerpt()
    )]
    Tag {
        /// Where the variant is listed.
        at: Place,
        /// The variant.
        variant: String,
        /// The tag field.
        tag: String,
    },
    /// A union whose members nothing tells apart.
    #[error(
        "{at}: nothing tells the members of this union apart\n    | {}\n  help: a union is string \
         literals, objects with a literal tag field, or shapes of different JSON kinds",
        at.excerpt()
    )]
    Ambiguous {
        /// Where it stands.
        at: Place,
    },
    /// An object or a choice of objects without a name.
    #[error(
        "{at}: {what} without a name\n    | {}\n  help: the model has named types only; read this \
         form under a name of its own",
        at.excerpt()
    )]
    Nameless {
        /// Where it stands.
        at: Place,
        /// What it is.
        what: &'static str,
    },
    /// A schema constant from whose name no type name follows.
    #[error(
        "{at}: schema constant `{name}` does not end in `Schema`\n    | {}\n  help: type names \
         come from constant names; name this one in codegen/src/extract/zod.rs",
        at.excerpt()
    )]
    Name {
        /// Where it is declared.
        at: Place,
        /// The constant.
        name: String,
    },
    /// A declaration or type that the reader of type aliases has not been taught.
    #[error(
        "{at}: unknown type form: {form}\n    | {}\n  help: say what it means in \
         codegen/src/extract/aliases.rs",
        at.excerpt()
    )]
    TypeForm {
        /// Where it stands.
        at: Place,
        /// What it is.
        form: &'static str,
    },
    /// A `@default` whose value is not JSON.
    #[error("{at}: `@default {text}` is not JSON\n    | {}", at.excerpt())]
    Default {
        /// Where the field stands.
        at: Place,
        /// What follows the tag.
        text: String,
    },
    /// Two declarations of one type.
    #[error(
        "{at}: `{name}` is declared twice, first at {first}\n    | {}\n  help: fold one into the \
         other with a repair in codegen/src/repairs/ag_ui.rs",
        at.excerpt()
    )]
    Twice {
        /// The second declaration.
        at: Place,
        /// The type.
        name: String,
        /// The first declaration.
        first: Place,
    },
    /// The type declarations and the validators of one release say different things.
    #[error(
        "{subject}: types and validators disagree: {difference}\n  types: {types}\n  validators: {validators}"
    )]
    Disagreement {
        /// `Type` or `Type.field`.
        subject: String,
        /// What differs.
        difference: String,
        /// Where the type stands, or the list of files without it.
        types: String,
        /// Where the validator stands, or the list of files without it.
        validators: String,
    },
    /// A file that the plan names and the release does not have.
    #[error(
        "{path}: not among the files of this release\n  help: add it to `files` in \
         vendor/upstream.toml, or take it out of `model`"
    )]
    NotListed {
        /// The file.
        path: String,
    },
    /// A file that should state the protocol version and does not.
    #[error(
        "{file}: no string constant `{name}`\n  help: name the file that has it in vendor/upstream.toml"
    )]
    Constant {
        /// The file.
        file: String,
        /// The constant.
        name: &'static str,
    },
}
