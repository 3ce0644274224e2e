//! The basic catalog: the components and functions that every renderer has.
//!
//! Generated from the catalog's document. Properties that a component has to have are arguments of
//! its constructor, the others setters.
//!
//! ```
//! use ag_ui_a2ui::catalog::basic::functions::required;
//! use ag_ui_a2ui::catalog::basic::{Button, Column, Text, TextVariant};
//! use ag_ui_a2ui::value::{Action, bind};
//! use ag_ui_a2ui::{Catalog, Component, Validator};
//!
//! let surface: [Component; 4] = [
//!     Column::new("root", ["heading", "buy"]).into(),
//!     Text::new("heading", bind("/title")).variant(TextVariant::H2).into(),
//!     Button::new("buy", "buy-label", Action::event("checkout").context("cart", bind("/id")))
//!         .checks([required(bind("/email")).message("Enter an address")])
//!         .into(),
//!     Text::new("buy-label", "Buy").into(),
//! ];
//! assert!(Validator::new(&Catalog::basic()).validate(&surface).is_valid());
//! ```
//!
//! What does not fit does not compile: a number where text is wanted, a missing property, or a
//! function that gives true or false as a text.
//!
//! ```compile_fail,E0277
//! use ag_ui_a2ui::catalog::basic::{Text, functions::email};
//! use ag_ui_a2ui::value::bind;
//!
//! let text = Text::new("t", email(bind("/address")));
//! ```
//!
//! ```compile_fail,E0277
//! let text = ag_ui_a2ui::catalog::basic::Text::new("t", 7);
//! ```
//!
//! ```compile_fail,E0061
//! let text = ag_ui_a2ui::catalog::basic::Text::new("t");
//! ```

include!(concat!(env!("OUT_DIR"), "/basic.rs"));

impl Tabs {
    /// With titles and what is under them, as part of a tree that gives ids.
    #[must_use]
    pub fn of<T: Into<DynamicString>, N: Into<Node>>(
        tabs: impl IntoIterator<Item = (T, N)>,
    ) -> Branch<Self> {
        let none = Branch::new(Self::new("", Vec::<TabsTab>::new()));
        tabs.into_iter().fold(none, |tabs, (title, node)| {
            let title = ("title".to_owned(), title.into().write());
            tabs.item("tabs", "child", [title], node)
        })
    }
}
