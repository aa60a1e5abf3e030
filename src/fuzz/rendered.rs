//! A finding's report, which is Markdown, as part of a page.

use maud::{Markup, html};

/// What a report consists of.
#[derive(Debug, PartialEq, Eq)]
enum Block<'t> {
    Heading(&'t str),
    Code(Vec<&'t str>),
    /// The first row is the header.
    Table(Vec<Vec<&'t str>>),
    List(Vec<&'t str>),
    Paragraph(Vec<&'t str>),
}

/// The page's part.
pub fn rendered(report: &str) -> Markup {
    html! {
        @for block in blocks(report) {
            @match block {
                Block::Heading(text) => h3 { (inline(text)) },
                Block::Code(lines) => pre { (lines.join("\n")) },
                Block::Table(rows) => (table(&rows)),
                Block::List(items) => ul { @for item in items { li { (inline(item)) } } },
                Block::Paragraph(lines) => p { (inline(&lines.join(" "))) },
            }
        }
    }
}

fn table(rows: &[Vec<&str>]) -> Markup {
    html! {
        table {
            @if let Some((header, rows)) = rows.split_first() {
                thead { tr { @for cell in header { th { (inline(cell)) } } } }
                tbody {
                    @for row in rows {
                        tr class=[row.iter().any(|cell| cell.contains('✗')).then_some("differs")] {
                            @for cell in row { td { (inline(cell)) } }
                        }
                    }
                }
            }
        }
    }
}

/// Text with code between backquotes.
fn inline(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            blocks.push(Block::Code(lines.by_ref().take_while(|line| *line != "```").collect()));
        } else if line.starts_with('#') {
            blocks.push(Block::Heading(line.trim_start_matches('#').trim()));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                rows.extend((!line.starts_with("| ---")).then(|| cells(line)));
            }
            blocks.push(Block::Table(rows));
        } else if let Some(item) = line.strip_prefix("- ") {
            let mut items = vec![item];
            while let Some(item) = lines.next_if(|line| line.starts_with("- ")) {
                items.push(item.trim_start_matches("- "));
            }
            blocks.push(Block::List(items));
        } else if !line.is_empty() {
            let mut part = vec![line];
            while let Some(line) = lines.next_if(|line| !line.is_empty()) {
                part.push(line);
            }
            blocks.push(Block::Paragraph(part));
        }
    }
    blocks
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_becomes_headings_tables_lists_and_code() {
        let text = "# my-opt: wrong value with `OpISub`\n\nWhat came out is `0x8`\ninstead of \
                    <7>.\n\n- Version: 1\n- Found by: x\n\n## To see it\n\n```sh\na | b\n\n# c\n```\n\n\
                    | place | observed |\n| --- | --- |\n| lane 0 | 0x7 |\n| lane 1 | 0x8 ✗ |\n\nEnd\n";
        let wanted = [
            Block::Heading("my-opt: wrong value with `OpISub`"),
            Block::Paragraph(vec!["What came out is `0x8`", "instead of <7>."]),
            Block::List(vec!["Version: 1", "Found by: x"]),
            Block::Heading("To see it"),
            Block::Code(vec!["a | b", "", "# c"]),
            Block::Table(vec![
                vec!["place", "observed"],
                vec!["lane 0", "0x7"],
                vec!["lane 1", "0x8 ✗"],
            ]),
            Block::Paragraph(vec!["End"]),
        ];
        assert_eq!(blocks(text), wanted);
        let page = rendered(text).into_string();
        for part in [
            "<h3>my-opt: wrong value with <code>OpISub</code></h3>",
            "<code>0x8</code> instead of &lt;7&gt;.",
            "<pre>a | b\n\n# c</pre>",
            "<tr class=\"differs\"><td>lane 1</td>",
            "<tr><td>lane 0</td>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
