//! Prints what a search finds.
fn main() {
    let files: Vec<(String, String)> = std::env::args()
        .skip(1)
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            (path, text)
        })
        .collect();
    match laneproof_semantics::as_written::AsWritten::extended_with(files) {
        Ok(texts) => {
            let report = laneproof_ambiguity::search(
                &texts,
                &laneproof_ambiguity::Options::default(),
                || {},
            );
            println!("{}", serde_json::to_string_pretty(&report).unwrap_or_default());
        }
        Err(error) => eprintln!("{error:?}"),
    }
}
