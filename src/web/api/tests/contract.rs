//! Holds answers against the OpenAPI document: the status, the media type, the problem's type, and
//! the body, member by member. A member that is not described is a breach too.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::http::Method;
use serde_json::Value;

use super::Answer;
use crate::web::api::described::document;

/// The document as JSON.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(document()).unwrap());

/// Panics where an answer is not as the document says.
pub fn hold(method: &Method, path: &str, answer: &Answer) {
    let told = format!("{method} {path} → {}: {}", answer.status, String::from_utf8_lossy(&answer.bytes));
    assert_eq!(answer.header("x-content-type-options"), "nosniff", "{told}");
    if path == "/api/v1/docs" || path.starts_with("/api/v1/docs/") {
        return;
    }
    assert_eq!(answer.header("cache-control"), "no-store", "{told}");
    let Some(item) = path_item(path) else {
        assert_eq!(answer.json["type"], "/api/v1/problems/no_route", "{told}");
        return valid(&DOCUMENT["components"]["schemas"]["Problem"], &answer.json, &told);
    };
    let method = if *method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
    let Some(operation) = item.get(&method) else {
        assert_eq!(answer.json["type"], "/api/v1/problems/method", "{told}");
        return valid(&DOCUMENT["components"]["schemas"]["Problem"], &answer.json, &told);
    };
    let described = operation["responses"].get(answer.status.to_string());
    let described = described.unwrap_or_else(|| panic!("the status is not described: {told}"));
    let Some(content) = described.get("content").and_then(Value::as_object) else {
        assert!(answer.bytes.is_empty(), "{told}");
        return;
    };
    let media_type = answer.header("content-type");
    let content = content.get(media_type).unwrap_or_else(|| panic!("{media_type} is not described: {told}"));
    if media_type == "application/problem+json" {
        let word = answer.json["type"].as_str().unwrap().rsplit_once('/').unwrap().1;
        assert!(content["examples"].get(word).is_some(), "the problem is not described: {told}");
    }
    if media_type != "image/svg+xml" && !answer.bytes.is_empty() {
        valid(&content["schema"], &answer.json, &told);
    }
}

/// What the document says of an address.
fn path_item(path: &str) -> Option<&'static Value> {
    let fits = |template: &str| {
        template.split('/').count() == path.split('/').count()
            && template.split('/').zip(path.split('/')).all(|(t, p)| t == p || (t.starts_with('{') && !p.is_empty()))
    };
    // An address without a variable part goes before one with.
    let mut found: Vec<_> = DOCUMENT["paths"].as_object()?.iter().filter(|(template, _)| fits(template)).collect();
    found.sort_by_key(|(template, _)| template.matches('{').count());
    found.first().map(|(_, item)| *item)
}

/// Panics where a value is not as a schema says.
pub fn valid(schema: &'static Value, value: &Value, at: &str) {
    if let Err(why) = check(schema, value) {
        panic!("{why}\nin {at}");
    }
}

/// A schema, or the one that it refers to.
fn resolved(schema: &'static Value) -> &'static Value {
    let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return schema };
    DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

fn check(schema: &'static Value, value: &Value) -> Result<(), String> {
    described_members(schema, value)?;
    check_parts(schema, value)
}

/// Everything but members that are not described, which a part of a whole cannot know.
fn check_parts(schema: &'static Value, value: &Value) -> Result<(), String> {
    let schema = resolved(schema);
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        check_parts(part, value)?;
    }
    for word in ["oneOf", "anyOf"] {
        if let Some(choices) = schema.get(word).and_then(Value::as_array) {
            let fitting = choices.iter().filter(|choice| check(choice, value).is_ok()).count();
            if fitting == 0 || (word == "oneOf" && fitting > 1) {
                return Err(format!("{value} fits {fitting} of {schema}"));
            }
        }
    }
    if let Some(types) = schema.get("type") {
        let types: Vec<&str> = types.as_array().map_or_else(
            || vec![types.as_str().unwrap()],
            |types| types.iter().map(|each| each.as_str().unwrap()).collect(),
        );
        if !types.iter().any(|name| is_of_type(value, name)) {
            return Err(format!("{value} is not of {types:?}"));
        }
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array)
        && !values.contains(value)
    {
        return Err(format!("{value} is not one of {values:?}"));
    }
    check_limits(schema, value)?;
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
            return Err(format!("{name} is missing in {value}"));
        }
    }
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.get(name) {
            check(member, value).map_err(|why| format!("{name}: {why}"))?;
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        for value in values {
            check(items, value)?;
        }
    }
    Ok(())
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the document has a type {other}"),
    }
}

fn check_limits(schema: &'static Value, value: &Value) -> Result<(), String> {
    let limit = |word: &str| schema.get(word).and_then(Value::as_f64);
    let size = match value {
        Value::Array(items) => u32::try_from(items.len()).ok(),
        _ => None,
    }
    .map(f64::from);
    let number = value.as_f64();
    for (word, measured, least) in
        [("minItems", size, true), ("maxItems", size, false), ("minimum", number, true), ("maximum", number, false)]
    {
        if let (Some(limit), Some(measured)) = (limit(word), measured)
            && (if least { measured < limit } else { measured > limit })
        {
            return Err(format!("{value} breaks {word} of {limit}"));
        }
    }
    if let (Some("date-time"), Some(text)) = (schema.get("format").and_then(Value::as_str), value.as_str())
        && (text.parse::<jiff::Timestamp>().is_err() || !text.ends_with('Z'))
    {
        return Err(format!("{value} is not a time"));
    }
    Ok(())
}

/// Whether each member of an object is described; an object without described members is free.
fn described_members(schema: &'static Value, value: &Value) -> Result<(), String> {
    let Some(members) = value.as_object() else { return Ok(()) };
    let mut names = BTreeSet::new();
    collect_names(schema, &mut names);
    if names.is_empty() {
        return Ok(());
    }
    match members.keys().find(|name| !names.contains(name.as_str())) {
        Some(name) => Err(format!("“{name}” is not described")),
        None => Ok(()),
    }
}

fn collect_names(schema: &'static Value, names: &mut BTreeSet<&'static str>) {
    let schema = resolved(schema);
    names.extend(
        schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.as_str()),
    );
    for word in ["allOf", "oneOf", "anyOf"] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            collect_names(part, names);
        }
    }
}
