//! The frame of a self-contained page of HTML, with its style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The page around its body.
pub fn page(title: &str, style: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    }
}
