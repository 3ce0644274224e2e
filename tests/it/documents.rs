//! Documents made from the model: valid ones of every type, and mutations of them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// A small generator of pseudo-random numbers (SplitMix64): the same seed, the same documents.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The committed model, as plain JSON so that nothing is taken from the emitter.
pub(crate) struct Documents {
    types: Map<String, Value>,
    pub(crate) random: Random,
    /// How many of a hundred optional fields are there.
    fullness: u64,
    /// Every type and field that a document had so far.
    pub(crate) made: BTreeSet<(String, String)>,
    /// Where the document in the making has got to.
    path: String,
    places: Vec<Place>,
}

/// A described field of a document.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) pointer: String,
    pub(crate) type_name: String,
    /// The field as the model has it.
    pub(crate) field: Value,
    /// Whether the field says which variant of a union the object is.
    pub(crate) is_tag: bool,
}

impl Place {
    pub(crate) fn name(&self) -> &str {
        self.field["name"].as_str().unwrap()
    }

    pub(crate) fn is_optional(&self) -> bool {
        self.field["optional"] == json!(true)
    }
}

impl Documents {
    pub(crate) fn new(seed: u64) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/ag-ui.json");
        let model: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let types = current(&model["types"]);
        let types =
            types.map(|one| (one["name"].as_str().unwrap().to_owned(), one["shape"].clone()));
        Self {
            types: types.collect(),
            random: Random::new(seed),
            fullness: 40,
            made: BTreeSet::new(),
            path: String::new(),
            places: Vec::new(),
        }
    }

    /// With every optional field in every document, and no empty list.
    pub(crate) fn full(seed: u64) -> Self {
        Self { fullness: 100, ..Self::new(seed) }
    }

    /// Every current type and field.
    pub(crate) fn all_fields(&self) -> BTreeSet<(String, String)> {
        let objects = self.types.iter().filter(|(_, shape)| shape.get("object").is_some());
        objects
            .flat_map(|(name, _)| self.fields(name).into_iter().map(move |field| (name, field)))
            .map(|(name, field)| (name.clone(), field["name"].as_str().unwrap().to_owned()))
            .collect()
    }

    /// Names of the current variants of a union.
    pub(crate) fn variants(&self, union: &str) -> Vec<String> {
        current(&self.types[union]["union"]["variants"])
            .map(|variant| variant["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Names and definitions of the current fields of an object.
    pub(crate) fn fields(&self, object: &str) -> Vec<Value> {
        current(&self.types[object]["object"]["fields"]).cloned().collect()
    }

    /// A valid document of that type.
    pub(crate) fn valid(&mut self, name: &str) -> Value {
        let shape = self.types[name].clone();
        if shape.get("union").is_some() {
            let variants = self.variants(name);
            let variant = self.random.pick(&variants).clone();
            return self.valid(&variant);
        }
        if let Some(strings) = shape.get("strings") {
            let members: Vec<_> = current(&strings["members"]).cloned().collect();
            return self.random.pick(&members)["value"].clone();
        }
        if let Some(alias) = shape.get("alias") {
            return self.of_shape(alias, true);
        }
        let object = &shape["object"];
        let mut document = Map::new();
        for field in self.fields(name) {
            if field["optional"] == json!(true) && !self.random.chance(self.fullness) {
                continue;
            }
            let nulls = field["null"] == json!("value");
            let field_name = field["name"].as_str().unwrap().to_owned();
            let value = self.within(&field_name, |this| this.of_shape(&field["shape"], nulls));
            self.places.push(Place {
                pointer: format!("{}/{field_name}", self.path),
                type_name: name.to_owned(),
                is_tag: self.is_tag(name, &field_name),
                field,
            });
            self.made.insert((name.to_owned(), field_name.clone()));
            document.insert(field_name, value);
        }
        if object["unknown"] == json!("keep") && self.random.chance(20) {
            document.insert("extension".to_owned(), self.opaque(2, true));
        }
        Value::Object(document)
    }

    fn of_shape(&mut self, shape: &Value, nulls: bool) -> Value {
        match shape {
            Value::String(kind) => match kind.as_str() {
                "string" => self.text(),
                "boolean" => json!(self.random.chance(50)),
                "any" => self.opaque(3, nulls),
                "map" => self.map(2),
                other => panic!("shape {other}"),
            },
            Value::Object(shape) => {
                let (kind, inner) = shape.iter().next().unwrap();
                match kind.as_str() {
                    "literal" => inner.clone(),
                    "pattern" => json!(self.random.pick(&["", "/a", "/a~0b~1c/0/-", "/ü"])),
                    "integer" => self.integer(inner),
                    "array" => self.list(inner),
                    "ref" if inner == "State" => self.opaque(3, nulls),
                    "ref" => self.valid(inner.as_str().unwrap()),
                    "oneOf" => {
                        let shapes = inner.as_array().unwrap();
                        let shape = self.random.pick(shapes).clone();
                        self.of_shape(&shape, false)
                    }
                    other => panic!("shape {other}"),
                }
            }
            other => panic!("shape {other}"),
        }
    }

    fn integer(&mut self, bounds: &Value) -> Value {
        let bound = |name: &str| bounds[name].as_i64().unwrap();
        let span = i128::from(bound("max")) - i128::from(bound("min"));
        match self.random.below(4) {
            0 => json!(bound("min")),
            1 => json!(bound("max")),
            _ => {
                let offset = i128::from(self.random.next()) % (span + 1);
                json!(i64::try_from(i128::from(bound("min")) + offset).unwrap())
            }
        }
    }

    fn list(&mut self, array: &Value) -> Value {
        let least = usize::try_from(array["minItems"].as_u64().unwrap_or(0)).unwrap();
        let length = least + usize::from(self.fullness == 100) + self.random.below(3);
        let item = |index: usize| {
            self.within(&index.to_string(), |this| this.of_shape(&array["items"], false))
        };
        (0..length).map(item).collect()
    }

    fn within<T>(&mut self, segment: &str, make: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(segment);
        let made = make(self);
        self.path.truncate(length);
        made
    }

    fn is_tag(&self, type_name: &str, field: &str) -> bool {
        self.types.values().filter_map(|shape| shape.get("union")).any(|union| {
            union["tag"] == field
                && current(&union["variants"]).any(|variant| variant["name"] == type_name)
        })
    }

    /// A valid document of that type, and where its described fields are.
    pub(crate) fn described(&mut self, name: &str) -> (Value, Vec<Place>) {
        self.places.clear();
        let document = self.valid(name);
        (document, std::mem::take(&mut self.places))
    }

    pub(crate) fn text(&mut self) -> Value {
        json!(self.random.pick(&[
            "",
            "a",
            "m-1",
            "text with spaces",
            "\"quoted\" \\ /",
            "line\nbreak\ttab\u{0}\u{1f}",
            "ünïcödé \u{1F600}\u{2028}",
            "a string that is longer than an id that is kept inline",
        ]))
    }

    fn opaque(&mut self, depth: usize, nulls: bool) -> Value {
        match self.random.below(if depth == 0 { 5 } else { 7 }) {
            0 if nulls => Value::Null,
            0 | 1 => self.text(),
            2 => json!(self.random.chance(50)),
            3 => json!(i64::try_from(self.random.next() >> 1).unwrap() / 2),
            4 => json!(self.random.pick(&[0.5, -1.25e-7, 1e300, -0.0, 17.0])),
            5 => (0..self.random.below(3)).map(|_| self.opaque(depth - 1, true)).collect(),
            _ => self.map(depth - 1),
        }
    }

    fn map(&mut self, depth: usize) -> Value {
        let keys = ["", "a", "type", "ag-ui", "with space", "ü"];
        let length = self.random.below(3);
        let mut map = Map::new();
        for _ in 0..length {
            let key = (*self.random.pick(&keys)).to_owned();
            map.insert(key, self.opaque(depth, true));
        }
        Value::Object(map)
    }

    /// The document with one change at a random place; it may still be valid.
    pub(crate) fn mutated(&mut self, mut document: Value) -> Value {
        let places = places(&document);
        let place = self.random.pick(&places).clone();
        let target = document.pointer_mut(&place).unwrap();
        self.mutate(target);
        document
    }

    fn mutate(&mut self, target: &mut Value) {
        if let Value::Object(map) = target
            && self.random.chance(70)
        {
            let keys: Vec<String> = map.keys().cloned().collect();
            match self.random.below(3) {
                0 if !keys.is_empty() => drop(map.remove(self.random.pick(&keys))),
                1 if !keys.is_empty() => {
                    let key = self.random.pick(&keys).clone();
                    map.insert(key, Value::Null);
                }
                _ => {
                    let names = ["zzz", "constructor", "subAgents", "subagentRunId", "name", "id"];
                    let key = (*self.random.pick(&names)).to_owned();
                    let value = self.opaque(1, true);
                    map.insert(key, value);
                }
            }
            return;
        }
        *target = match target {
            Value::Number(_) if self.random.chance(70) => {
                let numbers = [
                    "9007199254740991",
                    "9007199254740992",
                    "-9007199254740991",
                    "-9007199254740992",
                    "-1",
                    "0.5",
                    "1.0",
                    "1e3",
                    "1e300",
                    "-0.0",
                ];
                let number: &&str = self.random.pick(&numbers);
                serde_json::from_str(number).unwrap()
            }
            Value::String(_) if self.random.chance(60) => {
                let strings = [
                    "assistant",
                    "tool",
                    "user",
                    "reasoning",
                    "text",
                    "image",
                    "binary",
                    "data",
                    "success",
                    "cancelled",
                    "interrupt",
                    "suspended",
                    "add",
                    "function",
                    "a",
                    "/a~",
                    "RAW",
                    "THINKING_START",
                    "STEP_STARTED",
                    "message",
                    "resolved",
                    "",
                ];
                json!(self.random.pick(&strings))
            }
            Value::Array(items) if self.random.chance(50) => {
                let mut items = std::mem::take(items);
                items.push(self.opaque(1, true));
                Value::Array(items)
            }
            _ => self.opaque(2, true),
        };
    }
}

fn current(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().unwrap().iter().filter(|one| one.get("until").is_none())
}

/// Pointers to every value in a document, itself among them.
pub(crate) fn places(document: &Value) -> Vec<String> {
    let mut places = Vec::new();
    collect_places(document, String::new(), &mut places);
    places
}

/// The text of a document with the tags in front, as producers write it; the text that
/// `serde_json` writes has keys in alphabetical order.
pub(crate) fn tags_first(value: &Value) -> String {
    let entry = |(key, value): (&String, &Value)| format!("{}:{}", json!(key), tags_first(value));
    match value {
        Value::Object(map) => {
            let is_tag = |key: &str| matches!(key, "type" | "role" | "op");
            let tags = map.iter().filter(|(key, _)| is_tag(key)).rev();
            let others = map.iter().filter(|(key, _)| !is_tag(key));
            format!("{{{}}}", tags.chain(others).map(entry).collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(tags_first).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

fn collect_places(value: &Value, path: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect_places(item, format!("{path}/{index}"), places);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect_places(item, format!("{path}/{key}"), places);
            }
        }
        _ => {}
    }
    places.push(path);
}
