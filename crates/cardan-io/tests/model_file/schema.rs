//! The JSON Schema: it accepts the examples, refuses mistakes and names every key.

use crate::{PENDULUM, documented};
use cardan_io::model_file::schema;
use serde_json::{Value, json};

/// Whether a value is valid; the few words of JSON Schema that are used here.
fn valid(value: &Value, schema: &Value, root: &Value) -> bool {
    let Some(words) = schema.as_object() else { return false };
    words.iter().all(|(word, argument)| match word.as_str() {
        "$ref" => valid(value, root.pointer(argument.as_str().unwrap().trim_start_matches('#')).unwrap(), root),
        "oneOf" => argument.as_array().unwrap().iter().filter(|s| valid(value, s, root)).count() == 1,
        "anyOf" => argument.as_array().unwrap().iter().any(|s| valid(value, s, root)),
        "const" => value == argument,
        "enum" => argument.as_array().unwrap().contains(value),
        "type" => match argument {
            Value::String(kind) => is(value, kind),
            kinds => kinds.as_array().unwrap().iter().any(|kind| is(value, kind.as_str().unwrap())),
        },
        "required" => argument.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
        "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= argument.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= argument.as_u64().unwrap()),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|item| valid(item, argument, root))),
        "properties" => value.as_object().is_none_or(|map| map.iter().all(|(k, v)| argument.get(k).is_none_or(|s| valid(v, s, root)))),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let extra = map.iter().filter(|(k, _)| words.get("properties").is_none_or(|p| p.get(k).is_none()));
            extra.into_iter().all(|(_, v)| argument != &json!(false) && (argument == &json!(true) || valid(v, argument, root)))
        }),
        "$schema" | "$defs" | "title" | "description" => true,
        other => panic!("unknown word {other}"),
    })
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    }
}

fn accepts(source: &str) -> bool {
    let schema = schema();
    valid(&toml::from_str(source).unwrap(), &schema, &schema)
}

#[test]
fn the_schema_accepts_the_examples_and_refuses_mistakes() {
    assert!(accepts(PENDULUM));
    assert!(documented().into_iter().all(accepts));
    for (old, new) in [("stiffness", "stifness"), ("revolute", "revolut"), ("mass = 1.5", "mass = true"), ("at = [0, 0, 0]", "at = [0, 0]")]
    {
        assert!(!accepts(&PENDULUM.replace(old, new)), "{new}");
    }
}

#[test]
fn the_schema_describes_every_key() {
    fn check(value: &Value, path: &str) {
        match value {
            Value::Object(map) => {
                if let Some(Value::Object(keys)) = map.get("properties") {
                    for (key, schema) in keys {
                        assert!(schema.get("description").is_some_and(|d| !d.as_str().unwrap().is_empty()), "{path}/{key}");
                    }
                }
                map.iter().for_each(|(key, value)| check(value, &format!("{path}/{key}")));
            }
            Value::Array(list) => list.iter().for_each(|value| check(value, path)),
            _ => {}
        }
    }
    let schema = schema();
    check(&schema, "");
    let text = schema.to_string();
    for key in ["free_length", "inertia_axes", "static", "newton_iterations", "mass_per_length", "pitch", "between"] {
        assert!(text.contains(&format!("\"{key}\"")), "{key}");
    }
}
