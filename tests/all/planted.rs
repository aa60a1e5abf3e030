//! Each mistake of `interpreter/tests/planted` can be planted: its text stands in its file once.

use std::fs;
use std::path::Path;

use toml::Table;

#[test]
fn what_a_mistake_replaces_stands_in_its_file_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(folder.join("interpreter/tests/planted/mistakes.toml")).unwrap();
    let table: Table = text.parse().unwrap();
    let mistakes = table["mistake"].as_array().unwrap();
    for mistake in mistakes {
        let part = |key: &str| mistake[key].as_str().unwrap();
        let file = folder.join(part("file"));
        let file = fs::read_to_string(file).unwrap();
        assert_eq!(file.matches(part("from")).count(), 1, "{}", part("name"));
        assert_ne!(part("from"), part("to"), "{}", part("name"));
    }
    assert_eq!(mistakes.len(), 30);
}
