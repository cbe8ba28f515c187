//! A report in sentences: chapters of lines, the same for pages, mails and spoken pages.

/// A part of a turn's story: what moved, who met whom …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The heading.
    pub title: String,
    /// What happened; never empty.
    pub lines: Vec<StoryLine>,
}

/// A step in which a turn is watched: what is shown together, and what is said to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryStep {
    /// The word by which the picture names what belongs to the step.
    pub key: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What happens now, in a sentence, where the chapters do not say it.
    pub now: Option<String>,
    /// The chapters of the story that are told in this step; there may be none.
    pub chapters: Vec<Chapter>,
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
