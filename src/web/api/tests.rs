//! The API over a real store.
#[test]
fn dump() {
    println!("{}", serde_json::to_string_pretty(&super::document::document()).unwrap());
}
