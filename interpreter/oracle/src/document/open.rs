//! Which values of a run are one of several: computed from an undefined value, or from what the
//! semantics leaves to the implementation.

use serde_json::Value;

use super::OPEN;

/// Lists, beside each list of values, at which places others are allowed as well: where a run that
/// follows what is open, and has `same`, knows no value.
pub fn mark_open(left: &mut Value, same: &Value) {
    let (Value::Object(members), Some(same)) = (left, same.as_object()) else { return };
    let mut open = Vec::new();
    for list in ["lanes", "values"] {
        let (Some(Value::Array(values)), Some(Value::Array(known))) =
            (members.get(list), same.get(list))
        else {
            continue;
        };
        let places = values.iter().zip(known).enumerate();
        open.extend(places.filter(|(_, (value, known))| value != known).map(|(at, _)| at));
    }
    for (name, member) in members.iter_mut() {
        match (member, same.get(name)) {
            (Value::Array(parts), Some(Value::Array(known))) if name == "arguments" => {
                for (part, known) in parts.iter_mut().zip(known) {
                    mark_open(part, known);
                }
            }
            (member @ Value::Object(_), Some(known)) => mark_open(member, known),
            _ => {}
        }
    }
    if !open.is_empty() {
        members.insert(OPEN.to_owned(), open.into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_that_differ_are_listed_beside_the_values() {
        let of = |values: Value, lanes: Value| {
            json!({ "bindings": { "0.0": { "type": "u32", "values": values } },
                "arguments": [{ "buffer": { "type": "u32", "values": [1] } }],
                "result": { "type": "u32", "lanes": lanes } })
        };
        let mut left = of(json!([1, 2, 3]), json!([[1, 2], null]));
        mark_open(&mut left, &of(json!([1, null, 3]), json!([[1, null], null])));
        assert_eq!(left["bindings"]["0.0"]["open"], json!([1]));
        assert_eq!(left["result"]["open"], json!([0]));
        assert!(left["arguments"][0]["buffer"].get("open").is_none());
    }
}
