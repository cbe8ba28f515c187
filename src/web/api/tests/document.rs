//! The OpenAPI document and the page that shows it.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::Value;

use super::Api;
use super::contract::{DOCUMENT, valid};
use crate::web::api::problem_kind;

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

fn operations() -> impl Iterator<Item = (&'static str, &'static str, &'static Value)> {
    DOCUMENT["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
        METHODS.into_iter().filter_map(move |method| Some((path.as_str(), method, item.get(method)?)))
    })
}

/// An address that fits a template.
fn filled(template: &str) -> String {
    template
        .strip_prefix("/api/v1")
        .unwrap()
        .replace("{id}", "000000000000")
        .replace("{side}", "red")
        .replace("{n}", "0")
        .replace("{word}", "text")
        .replace("{hook}", "nothing")
        .replace("{event}", "nothing")
}

#[tokio::test]
async fn each_described_operation_is_served_and_no_other_method() {
    let api = Api::new().await;
    assert!(operations().count() > 20, "the document is empty");
    for (template, item) in DOCUMENT["paths"].as_object().unwrap() {
        for method in METHODS {
            let answer = api.ask(method.to_uppercase().parse().unwrap(), &filled(template), None, None).await;
            let kind = answer.json["type"].as_str().unwrap_or_default();
            assert_ne!(kind, "/api/v1/problems/no_route", "{method} {template}");
            assert_eq!(kind == "/api/v1/problems/method", item.get(method).is_none(), "{method} {template}");
            if kind == "/api/v1/problems/method" {
                let allowed: BTreeSet<String> = answer.header("allow").split(',').map(str::to_lowercase).collect();
                let described = METHODS.into_iter().filter(|method| item.get(method).is_some()).map(str::to_owned);
                let head = item.get("get").map(|_| "head".to_owned());
                assert_eq!(allowed, described.chain(head).collect(), "{template}");
            }
        }
    }
}

#[test]
fn what_is_served_is_described() {
    // Only `operations!` takes a handler together with its description; the docs page alone goes without.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/api");
    let (mut seen, folders) = (0, [folder.to_owned(), format!("{folder}/admin")]);
    for file in folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path())
    {
        if file.extension().is_some_and(|extension| extension == "rs") {
            seen += 1;
            let text = std::fs::read_to_string(&file).unwrap();
            let bare = text.contains(".route(") || text.contains(".route_service(") || text.contains(".nest_service(");
            // The module itself adds the root with a slash, which is no address of the API.
            let may = ["docs.rs", "api/mod.rs", "operations.rs"].iter().any(|end| file.ends_with(end));
            assert_eq!(bare, may, "{}", file.display());
            let handlers = text.matches("#[utoipa::path(").count();
            let stem = file.file_stem().unwrap().to_str().unwrap();
            let routes = std::fs::read_to_string(file.with_file_name("mod.rs")).unwrap();
            let list = routes.split("operations! {").nth(1).unwrap().split('}').next().unwrap();
            let served = list.lines().filter(|line| line.trim().starts_with(&format!("{stem}::"))).count();
            assert_eq!(handlers, served, "{}", file.display());
        }
    }
    assert!(seen > 10);
}

#[test]
fn each_operation_describes_its_problems_and_who_may_ask() {
    for (path, method, operation) in operations() {
        let at = format!("{method} {path}");
        for member in ["summary", "operationId", "tags"] {
            assert!(operation.get(member).is_some(), "{at}: {member}");
        }
        let statuses: BTreeSet<&str> = operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
        let at_desk = path.starts_with("/api/v1/admin/");
        let of_seat = path.contains("/{side}") && !at_desk;
        assert_eq!(operation.get("security").is_some(), of_seat || at_desk, "{at}");
        let mut needed = Vec::new();
        if at_desk {
            assert!(operation["security"][0].get("admin").is_some(), "{at}");
            needed.extend(["401", "403", "429", "500", "503"]);
        }
        if of_seat {
            needed.extend(["401", "404", "500", "503"]);
        }
        if operation.get("requestBody").is_some() {
            assert_eq!(operation["requestBody"]["required"], true, "{at}");
            needed.extend(["400", "413", "415", "422", "500", "503"]);
        }
        for status in needed {
            assert!(statuses.contains(status), "{at}: {status}");
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert!(!response["description"].as_str().unwrap().is_empty());
            if status.as_str() >= "400" {
                assert!(response["content"].get("application/problem+json").is_some(), "{at}: {status}");
            }
        }
    }
}

#[test]
fn each_kind_of_problem_is_described_somewhere_and_words_are_one_each() {
    let words: BTreeSet<&str> = problem_kind::ALL.iter().map(|kind| kind.word).collect();
    assert_eq!(words.len(), problem_kind::ALL.len());
    let mut described: BTreeSet<&str> = operations()
        .flat_map(|(_, _, operation)| operation["responses"].as_object().unwrap().values())
        .filter_map(|response| response.pointer("/content/application~1problem+json/examples"))
        .flat_map(|examples| examples.as_object().unwrap().keys().map(String::as_str))
        .collect();
    // Of no operation; and what a door may say that asks whether an empty sheet is meant, which this one does not.
    described.extend(["no_route", "method", "empty_not_meant"]);
    assert_eq!(described, words);
}

#[test]
fn schemas_are_typed_and_their_examples_are_valid() {
    let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        let typed = ["type", "enum", "oneOf", "allOf", "$ref"].iter().any(|word| schema.get(word).is_some());
        assert!(typed, "{name}: {schema}");
        examples_are_valid(name, schema);
    }
    for (path, _, operation) in operations() {
        for response in operation["responses"].as_object().unwrap().values() {
            for content in
                response.get("content").and_then(Value::as_object).into_iter().flatten().map(|(_, content)| content)
            {
                let own = content["schema"].get("$ref").is_some();
                assert!(
                    own || ["/openapi.json", "/board.svg", "/record"].iter().any(|known| path.ends_with(known)),
                    "{path}"
                );
                for example in content.get("examples").and_then(Value::as_object).into_iter().flatten() {
                    valid(&content["schema"], &example.1["value"], path);
                }
            }
        }
    }
}

/// Holds each example of a schema, however deep, against it.
fn examples_are_valid(name: &str, schema: &'static Value) {
    let list = schema.get("examples").and_then(Value::as_array).into_iter().flatten();
    for example in list.chain(schema.get("example")) {
        valid(schema, example, name);
    }
    match schema {
        Value::Object(members) => {
            members.iter().for_each(|(member, part)| examples_are_valid(&format!("{name}/{member}"), part));
        }
        Value::Array(parts) => parts.iter().for_each(|part| examples_are_valid(name, part)),
        _ => {}
    }
}

#[test]
fn members_are_described_in_words_or_by_their_type() {
    let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        assert!(schema.get("description").is_some(), "{name}");
    }
}

#[tokio::test]
async fn the_document_is_served_as_it_is() {
    let api = Api::new().await;
    let answer = api.get("/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.of(200), *DOCUMENT);
}

#[tokio::test]
async fn the_docs_page_and_its_files_come_from_here_under_a_policy() {
    let api = Api::new().await;
    let answer = api.get("/docs").await;
    assert_eq!((answer.status, answer.header("location")), (308, "/api/v1/docs/"));
    let page = api.get("/docs/").await;
    assert_eq!(page.status, 200);
    let text = String::from_utf8_lossy(&page.bytes).into_owned();
    assert!(!text.contains("http"), "{text}");
    let files: Vec<&str> = text.split('"').filter(|part| part.contains('.') && !part.contains(['/', '<'])).collect();
    assert_eq!(files, ["swagger-ui.css", "favicon-32x32.png", "swagger-ui-bundle.js", "docs.js"]);
    for file in files.into_iter().chain([""]) {
        let answer = api.get(&format!("/docs/{file}")).await;
        assert_eq!(answer.status, 200, "{file}");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'; script-src 'self';"));
    }
    let answer = api.get("/docs/../../../Cargo.toml").await;
    assert_eq!(answer.status, 404);
    let answer = api.ask(Method::GET, "/docs/nothing.js", None, None).await;
    assert_eq!(answer.status, 404);
    answer.problem("not_found");
}

/// The copy under docs is what is served, and for reviewers: what changes in it changes for every client. `OPENAPI=write` writes
/// it anew; it has to be there, be it empty, for the program to compile.
#[test]
fn the_kept_copy_is_the_document() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json");
    let written = serde_json::to_string_pretty(&*DOCUMENT).unwrap() + "\n";
    if std::env::var("OPENAPI").is_ok_and(|what| what == "write") {
        std::fs::write(path, &written).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let new = "run `OPENAPI=write cargo test --lib the_kept_copy` and look at what changed for clients";
    assert!(kept == written, "docs/openapi.json, which is served, does not say what the operations say: {new}");
}
