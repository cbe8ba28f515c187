//! The table: the board to be touched, the sheet in the making, and what may come of it.
//!
//! It is a form. Every touch is a button of it, so it works without scripts; `static/table.js`
//! sends the same form in the background and puts the answer in the place of the old table.
//! It knows no game: places, acts and advice come from the rules.

use crate::picture;
use crate::play::kept::Kept;
use crate::rules::{
    Chapter, Draft, DraftState, EntryForm, Goal, Layer, Offer, Place, Prospect, Report, Side, Standing,
};
use crate::web::pages::entry::Problem;
use crate::web::pages::form::Fields;

/// A place of the board as a button.
pub struct Square {
    /// Its name.
    pub name: String,
    /// What it is called aloud.
    pub spoken: String,
    /// The names of its look.
    pub look: String,
    /// Where what stands here can go, for the script: `F7 G8+ H7o`.
    pub to: String,
    /// Whether it is held.
    pub held: bool,
}

/// How many offers are shown at once; the others fold away behind their number.
pub const OFFERS: usize = 4;

/// The button that seals what is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealButton {
    /// What it says.
    pub label: String,
    /// Where it sends the form.
    pub action: String,
    /// Whether it seals an empty sheet, and says so.
    pub empty: bool,
    /// Whether the writer knows that it resolves the turn.
    pub may_resolve: bool,
    /// Whether it is asked if the sheet is final.
    pub finality: bool,
}

/// How the table is looked at: what the form carries from one touch to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handling {
    /// What is held.
    pub held: String,
    /// The layer that is shown.
    pub layer: String,
    /// Whether only the part around what is held is shown.
    pub near: bool,
    /// Whether a touch adds to what is held.
    pub several: bool,
    /// Whether the sheet shall be sealed as final.
    pub is_final: bool,
}

impl Handling {
    /// What a form carries, changed by the button that sent it.
    pub fn of(fields: &Fields) -> Handling {
        let set = fields.text("set");
        Handling {
            held: if set == "single" { String::new() } else { fields.text("held").to_owned() },
            layer: fields.text("layer").to_owned(),
            near: (fields.ticked("near") || set == "near") && set != "whole",
            several: (fields.ticked("several") || set == "several") && set != "single",
            is_final: fields.ticked("final"),
        }
    }
}

/// The text that a form brings, and the one to which a step back leads from there: the same, unless this was such a step.
pub fn sent(fields: &Fields) -> (String, Option<String>) {
    if fields.text("set") == "undo" {
        (fields.text("before").to_owned(), None)
    } else {
        let text = fields.text("text").to_owned();
        (text.clone(), Some(text))
    }
}

/// The act that a form asks for.
pub fn act(fields: &Fields) -> Option<&str> {
    Some(fields.text("act")).filter(|act| !act.is_empty())
}

/// What is laid on the table.
pub struct Laid<'a> {
    /// The board.
    pub standing: &'a Standing,
    /// Who looks.
    pub reader: Side,
    /// Whose sheet is written; the reader's own but in a what-if.
    pub side: Side,
    /// The sheet in the making.
    pub text: &'a str,
    /// The other side's sheet, in a what-if.
    pub rest: Option<&'a str>,
    /// The last turns, for the layers that show them.
    pub past: &'a [Report],
    /// Where acts are sent.
    pub action: String,
}

/// The table, ready to be shown.
pub struct Table {
    /// Where acts are sent.
    pub action: String,
    /// The turn.
    pub turn: u32,
    /// Whose sheet is written.
    pub side: Side,
    /// What is asked for.
    pub form: EntryForm,
    /// Whose sheet it is, in words: `Your orders`.
    pub title: String,
    /// The text.
    pub text: String,
    /// The other side's text, in a what-if.
    pub rest: Option<String>,
    /// The mark of the kept draft that lies here, so that an old page does not write over a newer one.
    pub base: String,
    /// The text before the last act, to which one step leads back.
    pub before: Option<String>,
    /// The text in canonical form, which is what the verdicts speak of.
    pub checked: String,
    /// How it is looked at.
    pub look: Handling,
    /// The layers to choose from.
    pub layers: &'static [Layer],
    /// The places, row by row.
    pub rows: Vec<Vec<Square>>,
    /// Whether only a part of the board is shown.
    pub part: bool,
    /// The board.
    pub picture: String,
    /// How far the sheet is.
    pub state: DraftState,
    /// What can be done with what is held.
    pub offers: Vec<Offer>,
    /// What was done.
    pub said: String,
    /// What is wrong with the text.
    pub problem: Option<Problem>,
    /// What may come of it.
    pub advice: Vec<Chapter>,
    /// Whether sheets may be saved in this browser: not where the other side sits at it too.
    pub saves: bool,
    /// Whether the computer may be asked for a sheet.
    pub hints: bool,
    /// The button that seals.
    pub seal: Option<SealButton>,
    /// Deployments of the writer's void games.
    pub kept: Vec<Kept>,
}

impl Table {
    /// Lays the table.
    pub fn lay(laid: &Laid<'_>, look: Handling, said: String) -> Table {
        let (standing, side, reader) = (laid.standing, laid.side, laid.reader);
        let read = standing.draft(side, laid.text);
        let problem = read.as_ref().err().map(|error| Problem::of(error, laid.text));
        let draft = read.ok().or_else(|| standing.draft(side, "").ok());
        let others = laid.rest.and_then(|text| standing.draft(side.other(), text).ok());
        let mut drafts: Vec<(Side, &Draft)> = Vec::new();
        drafts.extend(others.as_ref().map(|draft| (side.other(), draft)));
        drafts.extend(draft.as_ref().map(|draft| (side, draft)));
        let part = look.near && !look.held.is_empty() && !look.held.contains(' ');
        let middle = part.then_some(&*look.held);
        let picture = picture::desk(standing, reader, &drafts, &look.layer, laid.past, middle);
        let shown: Vec<String> = picture::shown(reader, middle);
        let (places, state, offers, advice) = match &draft {
            Some(draft) => (
                standing.places(side, draft, reader),
                standing.draft_state(side, draft),
                standing.offers(side, draft, &look.held),
                standing.advice(side, draft, reader),
            ),
            // An empty text is a draft of every game, so this is never taken.
            None => (Vec::new(), nothing(), Vec::new(), Vec::new()),
        };
        let form = standing.entry_form(side);
        let whose = if side == reader { "Your".to_owned() } else { format!("{}’s", side.name()) };
        Table {
            action: laid.action.clone(),
            turn: standing.turn(),
            side,
            title: format!("{whose} {}", form.noun),
            form,
            text: laid.text.to_owned(),
            rest: laid.rest.map(str::to_owned),
            base: String::new(),
            before: None,
            checked: match (&draft, &problem) {
                (Some(draft), None) => draft.text(),
                _ => String::new(),
            },
            rows: squares(&places, &look, &shown),
            layers: standing.layers(),
            part,
            picture,
            state,
            offers,
            said,
            problem,
            advice,
            saves: true,
            hints: false,
            seal: None,
            kept: Vec::new(),
            look,
        }
    }

    /// The place or kind that is held, with what the rules call it.
    pub fn in_hand(&self) -> Option<&str> {
        let place = || self.rows.iter().flatten().find(|square| square.name == self.look.held);
        let kind = || self.state.tray.iter().find(|item| item.key == self.look.held);
        if self.look.held.contains(' ') {
            return None;
        }
        place().map(|square| &*square.spoken).or_else(|| kind().map(|item| item.name))
    }

    /// What a touch of a place does.
    pub fn verb(&self) -> &'static str {
        if self.look.several { "gather" } else { "touch" }
    }
}

fn nothing() -> DraftState {
    DraftState {
        lines: Vec::new(),
        tray: Vec::new(),
        progress: String::new(),
        lacks: None,
        measure: String::new(),
        empty: true,
    }
}

fn squares(places: &[Vec<Place>], look: &Handling, shown: &[String]) -> Vec<Vec<Square>> {
    let held: Vec<&str> = look.held.split_whitespace().collect();
    let goals: &[Goal] = match *held {
        [one] if !look.several => {
            places.iter().flatten().find(|place| place.name == one).map_or(&[], |place| &*place.goals)
        }
        _ => &[],
    };
    let square = |place: &Place| {
        let goal = goals.iter().find(|goal| goal.place == place.name);
        let mut look: Vec<&str> = Vec::new();
        if place.mine {
            look.push("mine");
        }
        if held.contains(&&*place.name) {
            look.push("held");
        }
        if let Some(goal) = goal {
            look.extend(["goal", look_of(goal)]);
        }
        let within = goal.map(|goal| format!(", in reach: {}", goal.words())).unwrap_or_default();
        let to: Vec<String> = place.goals.iter().map(|goal| format!("{}{}", goal.place, goal.sign())).collect();
        Square {
            name: place.name.clone(),
            spoken: format!("{}{within}", place.spoken),
            look: look.join(" "),
            to: to.join(" "),
            held: held.contains(&&*place.name),
        }
    };
    let row = |row: &Vec<Place>| -> Vec<Square> {
        row.iter().filter(|place| shown.is_empty() || shown.contains(&place.name)).map(square).collect()
    };
    places.iter().map(row).filter(|row| !row.is_empty()).collect()
}

/// The name of a goal's look; the script reads the same names from the signs.
const fn look_of(goal: &Goal) -> &'static str {
    match goal.prospect {
        None => "own",
        Some(Prospect::Free) => "free",
        Some(Prospect::Wins) => "wins",
        Some(Prospect::Loses) => "loses",
        Some(Prospect::Both) => "both",
    }
}
