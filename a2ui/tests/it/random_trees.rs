//! Surfaces made of random bytes through the builders: whatever a caller could write.

use ag_ui_a2ui::catalog::basic::{
    AudioPlayer, Button, ButtonVariant, Card, CheckBox, ChoicePicker, ChoicePickerDisplayStyle,
    ChoicePickerOption, ChoicePickerVariant, Column, ColumnAlign, ColumnJustify, DateTimeInput,
    Divider, DividerAxis, Icon, IconName, Image, ImageFit, ImageVariant, List, ListAlign,
    ListDirection, Modal, Row, RowAlign, RowJustify, Slider, Tabs, Text, TextField,
    TextFieldVariant, TextVariant, Theme, functions,
};
use ag_ui_a2ui::value::{
    Accessibility, Action, CheckRule, DynamicBoolean, DynamicNumber, DynamicString,
    DynamicStringList, DynamicValue, bind,
};
use ag_ui_a2ui::{Node, Surface};
use serde_json::json;

/// Decisions, taken from bytes; when they end, the simplest one each time.
pub(crate) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
    inside_template: bool,
}

impl Choices<'_> {
    fn up_to(&mut self, count: u8) -> u8 {
        self.bytes.next().map_or(0, |byte| byte % count)
    }

    fn maybe(&mut self) -> bool {
        self.up_to(2) == 1
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        let count = u8::try_from(all.len()).unwrap_or(u8::MAX);
        all[usize::from(self.up_to(count))]
    }

    fn path(&mut self) -> String {
        let absolute = ["/a", "/b/c", "/list/0/x", "/with~1slash", "/with~0tilde"];
        let relative = ["x", "y/z"];
        let inside = self.inside_template && self.maybe();
        if inside { self.of(&relative) } else { self.of(&absolute) }.to_owned()
    }

    fn words(&mut self) -> &'static str {
        self.of(&["", "Hello", "a \"quoted\" text", "zwei\nZeilen", "안녕", "😀 **bold**", "${/x}"])
    }

    fn string(&mut self) -> DynamicString {
        match self.up_to(6) {
            0 | 1 => self.words().into(),
            2 => bind(self.path()).into(),
            3 => functions::format_string("${/a} and more").into(),
            4 => functions::format_number(self.number()).grouping(self.boolean(0)).into(),
            _ => functions::pluralize(self.number(), "many").one(self.words()).into(),
        }
    }

    fn number(&mut self) -> DynamicNumber {
        match self.up_to(4) {
            0 => 0.into(),
            1 => (-3).into(),
            2 => 2.5.into(),
            _ => bind(self.path()).into(),
        }
    }

    fn boolean(&mut self, depth: u8) -> DynamicBoolean {
        match self.up_to(if depth == 0 { 3 } else { 8 }) {
            0 => false.into(),
            1 => true.into(),
            2 => bind(self.path()).into(),
            3 => functions::not(self.boolean(depth - 1)).into(),
            4 => functions::and([self.boolean(depth - 1), self.boolean(depth - 1)]).into(),
            5 => functions::or([self.boolean(depth - 1), self.boolean(depth - 1)]).into(),
            6 => functions::required(self.value()).into(),
            _ => functions::length_min(self.string(), 2).max(5).into(),
        }
    }

    fn value(&mut self) -> DynamicValue {
        match self.up_to(4) {
            0 => self.words().into(),
            1 => 7.into(),
            2 => true.into(),
            _ => bind(self.path()).into(),
        }
    }

    fn check(&mut self) -> CheckRule {
        let path = self.path();
        match self.up_to(5) {
            0 => functions::required(bind(path)).message("m"),
            1 => functions::regex(bind(path), "^a+$").message("m"),
            2 => functions::numeric_min(bind(path), 1).max(9.5).message("m"),
            3 => functions::email(bind(path)).message("m"),
            _ => CheckRule::new(self.boolean(1), "m"),
        }
    }

    fn action(&mut self) -> Action {
        match self.up_to(3) {
            0 => Action::event("go").into(),
            1 => Action::event("go").context("a", self.value()).context("b", self.value()).into(),
            _ => functions::open_url("https://example.com").into(),
        }
    }

    fn leaf(&mut self) -> Node {
        match self.up_to(9) {
            0 | 1 => {
                let text = Text::of(self.string());
                if self.maybe() { text.variant(self.of(TextVariant::ALL)) } else { text }.into()
            }
            2 => Image::of(self.string())
                .fit(self.of(ImageFit::ALL))
                .variant(self.of(ImageVariant::ALL))
                .description(self.string())
                .into(),
            3 => Icon::of(self.of(IconName::ALL)).weight(2).into(),
            4 => ag_ui_a2ui::catalog::basic::Video::of(self.string()).into(),
            5 => AudioPlayer::of(self.string()).description(self.string()).into(),
            6 => Divider::of().axis(self.of(DividerAxis::ALL)).into(),
            _ => self.input(),
        }
    }

    fn input(&mut self) -> Node {
        let checks = [self.check()];
        match self.up_to(5) {
            0 => TextField::of(self.string())
                .value(bind(self.path()))
                .variant(self.of(TextFieldVariant::ALL))
                .validation_regexp("^.*$")
                .checks(checks)
                .into(),
            1 => CheckBox::of(self.string(), self.boolean(2)).checks(checks).into(),
            2 => {
                let option = ChoicePickerOption::new(self.string(), "v");
                let value: DynamicStringList =
                    if self.maybe() { ["v"].into() } else { bind(self.path()).into() };
                ChoicePicker::of([option], value)
                    .label(self.string())
                    .variant(self.of(ChoicePickerVariant::ALL))
                    .display_style(self.of(ChoicePickerDisplayStyle::ALL))
                    .filterable(self.maybe())
                    .checks(checks)
                    .into()
            }
            3 => Slider::of(self.number(), 10).min(1).label(self.string()).into(),
            _ => DateTimeInput::of(bind(self.path()))
                .enable_date(true)
                .enable_time(self.maybe())
                .min("2026-01-01")
                .max(bind(self.path()))
                .label(self.string())
                .into(),
        }
    }

    fn several(&mut self, depth: u8) -> Vec<Node> {
        (0..self.up_to(4)).map(|_| self.node(depth - 1)).collect()
    }

    fn item(&mut self, depth: u8) -> Node {
        let outside = std::mem::replace(&mut self.inside_template, true);
        let item = self.node(depth - 1);
        self.inside_template = outside;
        item
    }

    fn node(&mut self, depth: u8) -> Node {
        if depth == 0 {
            return self.leaf();
        }
        match self.up_to(9) {
            0 | 1 => self.leaf(),
            2 => {
                let row = if self.maybe() {
                    Row::each(bind(self.path()), self.item(depth))
                } else {
                    Row::of(self.several(depth))
                };
                let (align, justify) = (self.of(RowAlign::ALL), self.of(RowJustify::ALL));
                row.set(|row| row.align(align).justify(justify)).into()
            }
            3 => {
                let column = if self.maybe() {
                    Column::each(bind(self.path()), self.item(depth))
                } else {
                    Column::of(self.several(depth))
                };
                let (align, justify) = (self.of(ColumnAlign::ALL), self.of(ColumnJustify::ALL));
                column.set(|column| column.align(align).justify(justify)).into()
            }
            4 => {
                let list = if self.maybe() {
                    List::each(bind(self.path()), self.item(depth))
                } else {
                    List::of(self.several(depth))
                };
                let (align, direction) = (self.of(ListAlign::ALL), self.of(ListDirection::ALL));
                list.set(|list| list.align(align).direction(direction)).into()
            }
            5 => {
                let label = Accessibility::new().label(self.string()).description(self.string());
                Card::of(self.node(depth - 1)).set(|card| card.accessibility(label)).into()
            }
            6 => {
                let count = self.up_to(2) + 1;
                let tabs: Vec<(DynamicString, Node)> =
                    (0..count).map(|_| (self.string(), self.node(depth - 1))).collect();
                Tabs::of(tabs).into()
            }
            7 => Modal::of(self.node(depth - 1), self.node(depth - 1)).into(),
            _ => {
                let (variant, check) = (self.of(ButtonVariant::ALL), self.check());
                Button::of(self.node(depth - 1), self.action())
                    .set(|button| button.variant(variant).checks([check]))
                    .into()
            }
        }
    }
}

/// A surface of the basic catalog.
pub(crate) fn surface(id: &str, bytes: &[u8]) -> Surface {
    let mut choices = Choices { bytes: bytes.iter(), inside_template: false };
    let theme = Theme::new().primary_color("#0a7Bff").agent_display_name(choices.words());
    Surface::new(id)
        .theme(theme)
        .root(choices.node(5))
        .data(json!({"a": choices.words(), "b": {"c": 3}, "list": [{"x": 1, "y": {"z": "w"}}]}))
}
