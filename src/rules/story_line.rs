//! A report in sentences: chapters of lines, the same for pages, mails and spoken pages.

/// A part of a turn's story: what moved, who met whom …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The heading.
    pub title: String,
    /// What happened; never empty.
    pub lines: Vec<StoryLine>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryLine {
    /// The sentence.
    pub text: String,
    /// How it should be shown.
    pub tone: Tone,
}

/// What kind of thing happened, for the sign beside a line. The sentence says it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Plain,
    /// Something was not carried out.
    Failed,
    /// Something was removed.
    Loss,
    /// The game is over.
    End,
}

impl StoryLine {
    /// A line.
    pub fn new(tone: Tone, text: impl Into<String>) -> StoryLine {
        StoryLine { text: text.into(), tone }
    }
}
