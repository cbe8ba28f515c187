//! The page of a seat: where the game stands, and the one thing to do next.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::clock::Timestamp;
use crate::picture;
use crate::play::deadline::usable;
use crate::play::draft::mark;
use crate::play::kept::Kept;
use crate::play::rematch::Again;
use crate::play::terms::MissingDeployment;
use crate::play::thoughts::Note;
use crate::play::view::{GameLine, SeatView, TurnView};
use crate::play::{PlayError, Seat};
use crate::rules::{Answer, Chapter, EntryForm, Outcome, Report, Side, StoryLine, Tone};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::agree::{self, OfferWords};
use crate::web::pages::field_command::{self, ArmyTable};
use crate::web::pages::frame::{self, Frame, Look, Shown, hand_over_path, mid_sentence, seat_path};
use crate::web::pages::session::{Held, Visitor};
use crate::web::pages::table::{Handling, Laid, SealButton, Table};
use crate::web::pages::watch;
use crate::web::pages::{absent, calendar, letters, organiser, time};

/// What the address of a seat's page may ask for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// A question about the board.
    #[serde(default)]
    ask: String,
    /// Whether the visitor has just taken the seat.
    welcome: Option<String>,
    /// Whether an invitation was just sent.
    sent: Option<String>,
}

/// How the table on the page is looked at, and what was just done on it.
#[derive(Default)]
pub struct AtTable {
    /// How it is looked at.
    pub look: Handling,
    /// What was done.
    pub said: String,
    /// The text, if it is not the kept one: one that could not be kept.
    pub text: Option<String>,
    /// The text before the last act, if that changed it.
    pub before: Option<String>,
}

/// A question about the board and its answer.
#[derive(Default)]
struct Asking {
    question: String,
    chapters: Vec<Chapter>,
    problem: Option<String>,
}

/// The form for the address of reports, filled.
#[derive(Clone, Debug, Default)]
pub struct AddressForm {
    /// What was written.
    pub text: String,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// Where the game stands for this seat, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct News {
    /// The name of its look: `due`, `wait` or `over`.
    look: &'static str,
    /// The news in a line.
    headline: String,
    /// What happens next.
    next: String,
}

/// The last resolved turn in a few lines.
#[derive(Clone, Debug)]
struct LastTurn {
    number: u32,
    name: String,
    lines: Vec<StoryLine>,
}

/// What the board's picture shows, and the words below it.
struct Picture {
    svg: String,
    caption: String,
}

#[derive(Template)]
#[template(path = "pages/seat.html")]
struct SeatPage {
    frame: Frame,
    news: News,
    view: SeatView,
    picture: Picture,
    /// Who has missed turns, in words.
    missed: Vec<String>,
    /// What happens when the turn is due, while nothing is sealed.
    at_due: Option<String>,
    /// What stands of absences and pauses, in words that end with a moment.
    times: Vec<(String, Timestamp)>,
    /// What may be done because the opponent stays away.
    claim: Option<String>,
    /// The table, while a sheet is awaited and the sealed one is not left as it is.
    table: Option<Table>,
    noun: &'static str,
    answer: Asking,
    notes: Vec<Note>,
    last: Option<LastTurn>,
    /// The resolved turns, by number and name.
    history: Vec<(u32, String)>,
    armies: Vec<ArmyTable>,
    /// The address of the other seat, if this browser holds it too.
    other_seat: Option<String>,
    /// Where the device is handed over, if both sides sit at this one.
    hand_over: Option<String>,
    /// How little can happen on the awaited day, if that is so.
    calm: Option<String>,
    /// How near a draw is because nothing happens, if it is.
    quiet: Option<String>,
    invitation: Option<String>,
    link: String,
    /// Where the calendar of this seat's deadlines is read.
    calendar: Option<String>,
    /// Why no letters come about the game, and why none go to the opponent.
    no_letters: [Option<String>; 2],
    /// That the opponent is an organiser, if so.
    organiser: Option<String>,
    address: AddressForm,
    welcome: bool,
    /// What one side offers the other.
    offers: Vec<OfferWords>,
    /// Whether there is a day from which the two could go on anew.
    may_go_back: bool,
    /// Where the game goes on.
    onward: Option<String>,
    /// Whether an invitation was just sent.
    sent: bool,
    /// The next other game that waits for the visitor, and how many wait.
    next_game: Option<(String, usize)>,
}

/// GET /games/{id}/{side}
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    visitor: Visitor,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if let Some(turn) = view.unwatched {
        return Ok(frame::see(&watch::day_path(&seat, turn)));
    }
    let asked = asked.map(|Query(asked)| asked).unwrap_or_default();
    let page = load(&state, &seat, view, &visitor, &asked, AtTable::default()).await?;
    Ok(frame::page(StatusCode::OK, &page))
}

/// The page once more, because an address could not be set.
pub async fn with_address(
    state: &WebState,
    seat: &Seat,
    visitor: &Visitor,
    address: AddressForm,
) -> Result<Response, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let page = load(state, seat, view, visitor, &Asked::default(), AtTable::default()).await?;
    Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &SeatPage { address, ..page }))
}

/// The page after something was done on the table.
pub async fn with_table(
    state: &WebState,
    seat: &Seat,
    visitor: &Visitor,
    status: StatusCode,
    table: AtTable,
) -> Result<Response, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let page = load(state, seat, view, visitor, &Asked::default(), table).await?;
    Ok(frame::page(status, &page))
}

async fn load(
    state: &WebState,
    seat: &Seat,
    view: SeatView,
    visitor: &Visitor,
    asked: &Asked,
    table: AtTable,
) -> Result<SeatPage, PageError> {
    let last = match view.resolved.last() {
        Some(&turn) => Some(state.play.turn(seat, turn).await.map_err(at(seat))?),
        None => None,
    };
    let past = past(state, seat, &view, &table.look).await?;
    let notes = state.play.notes(seat, &view.setup).await.map_err(at(seat))?;
    let other = seat.side().other();
    let both = visitor.holds(state, seat.game(), other).await.map_err(at(seat))?;
    let answer = answer(&view, last.as_ref(), &asked.ask);
    let mut page = seat_page(view, last.as_ref(), asked, table, &past, &state.public_url);
    (page.notes, page.answer) = (notes, answer);
    // They are deployments.
    if let Some(table) = page.table.as_mut().filter(|_| page.view.standing.turn() == 0) {
        table.kept = kept(state, seat, visitor).await?;
    }
    let waiting = waiting(state, visitor).await.map_err(at(seat))?;
    page.frame = page.frame.counting(waiting.len());
    page.next_game = next_game(&waiting, seat);
    if page.address.text.is_empty() && !page.view.one_device {
        page.address.text = visitor.offered_address(state).await.map_err(at(seat))?.unwrap_or_default();
    }
    if both && page.view.one_device {
        page.hand_over = Some(hand_over_path(seat.game()));
    } else if both {
        page.other_seat = Some(seat_path(seat.game(), other));
    }
    Ok(page)
}

/// The deployments of void games that the visitor may use here.
pub async fn kept(state: &WebState, seat: &Seat, visitor: &Visitor) -> Result<Vec<Kept>, PageError> {
    match &visitor.0 {
        Some(session) => state.play.kept_sheets(session, seat).await.map_err(at(seat)),
        None => Ok(Vec::new()),
    }
}

/// The games that wait for the visitor, in the order of their deadlines.
async fn waiting(state: &WebState, visitor: &Visitor) -> Result<Vec<GameLine>, PlayError> {
    let Some(session) = &visitor.0 else { return Ok(Vec::new()) };
    let mut games = state.play.games_of(session).await?;
    games.retain(|game| game.ended.is_none() && game.waits_for_me);
    Ok(games)
}

/// The first of them that is another game than the one on the page.
fn next_game(waiting: &[GameLine], seat: &Seat) -> Option<(String, usize)> {
    let mut others = waiting.iter().filter(|game| game.game != *seat.game());
    let first = others.next()?;
    let path = match (first.one_device, first.unwatched) {
        (true, _) => hand_over_path(&first.game),
        (false, Some(turn)) => format!("{}/days/{turn}", seat_path(&first.game, first.side)),
        (false, None) => seat_path(&first.game, first.side),
    };
    Some((path, 1 + others.count()))
}

/// The last turns, the oldest first, if the layer that is looked at shows them.
pub async fn past(state: &WebState, seat: &Seat, view: &SeatView, look: &Handling) -> Result<Vec<Report>, PageError> {
    let mut past = Vec::new();
    if TURNS_LAYERS.contains(&&*look.layer) {
        for &turn in view.resolved.iter().rev().take(TRAILS).rev() {
            past.push(state.play.turn(seat, turn).await.map_err(at(seat))?.report);
        }
    }
    Ok(past)
}

/// The layers for which the last turns are read.
const TURNS_LAYERS: [&str; 2] = ["trails", "enemy-orders"];
/// How many turns leave a trail.
const TRAILS: usize = 3;

/// What the board says to a question.
fn answer(view: &SeatView, last: Option<&TurnView>, question: &str) -> Asking {
    let question = question.trim();
    if question.is_empty() {
        return Asking::default();
    }
    let draft = view.standing.draft(view.side, &written(view)).or_else(|_| view.standing.draft(view.side, ""));
    let (chapters, problem) = match draft.and_then(|draft| view.standing.ask(view.side, &draft, question)) {
        Ok(Answer::Chapters(chapters)) => (chapters, None),
        Ok(Answer::LastTurn) => (last.map(|turn| turn.story.clone()).unwrap_or_default(), None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    Asking { question: question.to_owned(), chapters, problem }
}

/// What the seat has written last: the draft, or else what is sealed.
pub fn written(view: &SeatView) -> String {
    view.draft.clone().or_else(|| view.own.as_ref().map(|own| own.text.clone())).unwrap_or_default()
}

fn seat_page(
    view: SeatView,
    last: Option<&TurnView>,
    asked: &Asked,
    at: AtTable,
    past: &[Report],
    public_url: &str,
) -> SeatPage {
    let form = view.standing.entry_form(view.side);
    let changing = view.own.is_none() || view.draft.is_some() || at.text.is_some();
    SeatPage {
        frame: Frame::of_seat(&view, &title(&view)),
        news: news(&view, &form),
        picture: picture(&view),
        table: (view.ended.is_none() && changing).then(|| table(&view, at, past)),
        noun: form.noun,
        at_due: at_due(&view, &form),
        times: time::lines(&view),
        claim: absent::invites(&view),
        missed: missed(&view),
        organiser: organiser::opponent_words(&view),
        no_letters: [letters::own_words(&view), letters::opponents_words(&view)],
        answer: Asking::default(),
        notes: Vec::new(),
        last: last.map(last_turn),
        history: view.resolved.iter().map(|&turn| (turn, view.setup.turn_name(turn))).collect(),
        armies: field_command::armies(&view.standing, view.side),
        other_seat: None,
        hand_over: None,
        calm: view.standing.calm(),
        quiet: view.standing.quiet().filter(|_| view.ended.is_none()),
        invitation: view.invitation.as_ref().map(|secret| format!("{public_url}/i/{}", secret.reveal())),
        link: format!("{public_url}/s/{}", view.link.reveal()),
        calendar: view.calendar.as_ref().map(|secret| calendar::address(public_url, secret)),
        address: AddressForm {
            text: view.address.clone().or_else(|| view.unconfirmed.clone()).unwrap_or_default(),
            problem: None,
        },
        welcome: asked.welcome.is_some(),
        offers: agree::offers(&view),
        may_go_back: view.resolved.last().is_some_and(|&turn| turn > 0),
        onward: view.continued_in.as_ref().map(|carried| match &carried.link {
            Some(link) => format!("/s/{}", link.reveal()),
            None => seat_path(&carried.game, view.side),
        }),
        sent: asked.sent.is_some(),
        next_game: None,
        view,
    }
}

impl SeatPage {
    /// Whether a computer sits opposite.
    fn computer(&self) -> bool {
        self.view.computers.get(self.view.side.other()).is_some()
    }
}

/// The table with the seat's own sheet on it.
pub fn table(view: &SeatView, at: AtTable, past: &[Report]) -> Table {
    let seat = seat_path(&view.game, view.side);
    let text = at.text.unwrap_or_else(|| written(view));
    let laid = Laid {
        standing: &view.standing,
        reader: view.side,
        side: view.side,
        text: &text,
        rest: None,
        past,
        action: format!("{seat}/table"),
    };
    let mut table = Table::lay(&laid, at.look, at.said);
    table.base = mark(view.draft.as_deref());
    table.before = at.before;
    table.saves = !view.one_device;
    table.hints = view.hints;
    if table.problem.is_none() {
        table.seal = Some(SealButton {
            label: seal_label(view, &table),
            action: format!("{seat}/seal"),
            empty: table.state.empty,
            may_resolve: view.other.is_some(),
            finality: view.time.terms.second_thoughts > 0,
        });
    }
    table
}

/// `Seal 9 orders (1 will not be carried out) and resolve day 5`.
fn seal_label(view: &SeatView, table: &Table) -> String {
    let verb = if view.own.is_some() { "Seal instead" } else { "Seal" };
    let failing = table.state.lines.iter().filter(|line| !line.legal).count();
    let failing = if failing == 0 { String::new() } else { format!(" ({failing} will not be carried out)") };
    let then = if view.other.is_some() { resolving(view) } else { String::new() };
    format!("{verb} {}{failing}{then}", table.state.measure)
}

/// What a seal that resolves adds to the words on its button.
pub fn resolving(view: &SeatView) -> String {
    if view.time.terms.second_thoughts > 0 {
        return String::new();
    }
    match view.standing.turn() {
        0 => " and begin".to_owned(),
        _ => format!(" and resolve {}", mid_sentence(&view.standing.turn_name())),
    }
}

fn title(view: &SeatView) -> String {
    if view.ended.is_some() { "Game over".to_owned() } else { view.standing.turn_name() }
}

/// How many turns each side has missed, the opponent first; nothing of who missed none.
fn missed(view: &SeatView) -> Vec<String> {
    let line = |side: Side| {
        let missed = view.missed.get(side);
        let who = if side == view.side { "You have".to_owned() } else { format!("{} has", side.name()) };
        let turns = if missed.all == 1 { "1 turn".to_owned() } else { format!("{} turns", missed.all) };
        let running = if missed.running > 1 { format!(", the last {} running", missed.running) } else { String::new() };
        (missed.all > 0).then(|| format!("{who} missed {turns}{running}."))
    };
    [view.side.other(), view.side].into_iter().filter_map(line).collect()
}

/// What is used of this seat when the turn is due.
fn at_due(view: &SeatView, form: &EntryForm) -> Option<String> {
    view.due.filter(|_| view.own.is_none())?;
    let missing = match view.time.terms.missing_deployment {
        MissingDeployment::Void => "the game is void",
        MissingDeployment::ReadyMade => "a ready-made one is used",
    };
    Some(match view.draft.as_deref().and_then(|draft| usable(&view.standing, view.side, draft)) {
        _ if view.time.withheld && form.empty.is_some() => {
            "If you have sealed nothing by then, an empty list is used and not what is written here. The turn counts as late, \
             not as missed."
                .into()
        }
        _ if view.time.withheld => format!("If you have sealed no {} by then, {missing}.", form.noun),
        Some(sheet) => {
            format!(
                "If you have sealed nothing by then, what is written here is used: {}.",
                view.standing.check(view.side, &sheet).measure
            )
        }
        None if form.empty.is_some() => {
            "If nothing of yours is written by then, an empty list will be used, and the turn counts as missed.".into()
        }
        None => format!("If your {} is not whole by then, {missing}.", form.noun),
    })
}

fn news(view: &SeatView, form: &EntryForm) -> News {
    let other = view.side.other().name();
    if let Some(ended) = &view.ended {
        let headline = match ended.outcome.and_then(Outcome::winner) {
            _ if view.continued_in.is_some() => "Continued elsewhere.",
            _ if ended.outcome.is_none() => "The game ends without a result.",
            Some(winner) if winner == view.side => "You have won.",
            Some(_) => "You have lost.",
            None => "A draw.",
        };
        return News { look: "over", headline: headline.into(), next: ended.how.clone() };
    }
    let then = what_follows(view);
    if view.computers.get(view.side.other()).is_some() {
        return against_computer(view, form);
    }
    let thoughts = view.time.terms.second_thoughts;
    match (&view.own, &view.other, view.opponent_present) {
        (Some(_), Some(_), _) => News {
            look: "wait",
            headline: "Both have sealed.".into(),
            next: format!(
                "There is time for second thoughts: you may replace your sheet or take it back, and so may {other}. \
                 Replacing does not begin the time anew. After it {then}."
            ),
        },
        (Some(_), _, true) if thoughts > 0 => News {
            look: "wait",
            headline: format!("Sealed. Waiting for {other}."),
            next: format!(
                "When {other} has sealed too, both may still replace their sheets for {thoughts} minutes; then {then}."
            ),
        },
        (None, Some(_), _) if thoughts > 0 => {
            News { look: "due", headline: form.ask.clone(), next: format!("{other} has sealed. {}", settling(view)) }
        }
        (Some(_), _, true) => News {
            look: "wait",
            headline: format!("Sealed. Waiting for {other}."),
            next: format!("When {other} has sealed too, {then}. Until then you may replace your sheet."),
        },
        (Some(_), _, false) => News {
            look: "wait",
            headline: "Sealed. Waiting for your opponent.".into(),
            next: format!(
                "Nobody has taken {other}’s seat yet: send the invitation. You may still replace your sheet."
            ),
        },
        (None, Some(_), _) => News {
            look: "due",
            headline: form.ask.clone(),
            next: format!("{other} has sealed. Your seal opens both sheets: {then} at once."),
        },
        (None, None, true) => News {
            look: "due",
            headline: form.ask.clone(),
            next: format!("{other} has not sealed yet. Your sheet is shown to nobody before both have."),
        },
        (None, None, false) => News {
            look: "due",
            headline: form.ask.clone(),
            next: format!("Nobody has taken {other}’s seat yet. You may write and seal before your opponent comes."),
        },
    }
}

/// The news of a game that goes on against the computer, which needs no waiting for.
fn against_computer(view: &SeatView, form: &EntryForm) -> News {
    let (other, then) = (view.side.other().name(), what_follows(view));
    match (&view.own, &view.other) {
        (Some(_), Some(_)) => News {
            look: "wait",
            headline: "Both have sealed.".into(),
            next: format!(
                "There is time for second thoughts: you may replace your sheet or take it back. After it {then}."
            ),
        },
        (Some(_), None) => News {
            look: "wait",
            headline: "Sealed. The computer is writing.".into(),
            next: format!("When it has sealed too, {then}. That takes a moment; look again."),
        },
        (None, _) if view.time.terms.second_thoughts > 0 => News {
            look: "due",
            headline: form.ask.clone(),
            next: format!("The computer, {other}, seals by itself and without seeing your sheet. {}", settling(view)),
        },
        (None, Some(_)) => News {
            look: "due",
            headline: form.ask.clone(),
            next: format!("The computer, {other}, has sealed. Your seal opens both sheets: {then} at once."),
        },
        (None, None) => News {
            look: "due",
            headline: form.ask.clone(),
            next: format!(
                "The computer, {other}, writes by itself and does not see your sheet. After your seal {then}."
            ),
        },
    }
}

/// What the last seal sets off in a game with time for second thoughts.
pub fn settling(view: &SeatView) -> String {
    format!(
        "After your seal both may still replace their sheets for {} minutes, though not past a deadline; then {}. If both \
         sheets are marked as final, that happens at once.",
        view.time.terms.second_thoughts,
        what_follows(view)
    )
}

/// What the last seal sets off, as the end of a sentence.
pub fn what_follows(view: &SeatView) -> String {
    match view.standing.turn() {
        0 => "both armies are revealed and the game begins".to_owned(),
        _ => format!("{} is resolved", mid_sentence(&view.standing.turn_name())),
    }
}

/// The sealed sheet as it lies on the board, or the board alone.
fn picture(view: &SeatView) -> Picture {
    let read = |text: &str| view.standing.parse(view.side, text).ok();
    if let Some(sheet) = view.own.as_ref().and_then(|own| read(&own.text)) {
        let svg = picture::sheet(&view.standing, view.side, &sheet);
        return Picture { svg, caption: "Your sealed sheet. Only you see it.".into() };
    }
    let caption = match view.resolved.last() {
        None => format!("The board, {}’s edge below.", view.side.name()),
        Some(&turn) => {
            let name = mid_sentence(&view.setup.turn_name(turn));
            format!("The board after {name}, {}’s edge below.", view.side.name())
        }
    };
    Picture { svg: picture::standing(&view.standing, view.side), caption }
}

/// The removals and the end of a turn's story; the rest is in its report.
fn last_turn(turn: &TurnView) -> LastTurn {
    let (end, before) = turn.story.split_last().map_or((None, [].as_slice()), |(end, before)| (Some(end), before));
    let removals = before.iter().flat_map(|chapter| &chapter.lines).filter(|line| line.tone == Tone::Loss);
    let lines = removals.chain(end.into_iter().flat_map(|chapter| &chapter.lines)).cloned().collect();
    LastTurn { number: turn.turn, name: turn.name.clone(), lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Secret;
    use crate::play::view::Seal;
    use crate::web::pages::samples;

    fn html(view: SeatView, asked: &Asked) -> String {
        seat_page(view, None, asked, AtTable::default(), &[], "https://play.example.org").render().unwrap()
    }

    #[test]
    fn the_page_says_whose_seat_it_shows() {
        let html = html(samples::view(), &Asked::default());
        assert!(html.contains("<title>Red · Deployment · Ann against Ben</title>"));
        assert!(html.contains("Place your 40 units") && html.contains("Check deployment"));
        assert!(html.contains("https://play.example.org/s/redlink"));
        assert!(!html.contains("Invite"));
    }

    #[test]
    fn without_an_opponent_there_is_an_invitation() {
        let mut view = samples::view();
        view.opponent_present = false;
        view.names.blue = None;
        view.invitation = Some(Secret::sent("invitation"));
        let html = html(view, &Asked::default());
        assert!(html.contains("https://play.example.org/i/invitation") && html.contains("Withdraw"));
        assert!(html.contains("Ann, no opponent yet"));
    }

    /// The table as a page would lay it, with what is held.
    fn laid(view: &SeatView, held: &str) -> String {
        let look = Handling { held: held.into(), ..Handling::default() };
        let at = AtTable { look, ..AtTable::default() };
        seat_page(view.clone(), None, &Asked::default(), at, &[], "").render().unwrap()
    }

    #[test]
    fn the_table_says_what_is_left_to_place() {
        let mut view = samples::view();
        assert!(laid(&view, "").contains("disabled>Place 40 more</button>"));
        view.draft = Some("GN K11\nAR K10".into());
        let html = laid(&view, "AR");
        assert!(
            html.contains("Place 38 more") && html.contains("value=\"take AR\" id=\"take-AR\" class=\"kind held\"")
        );
        assert!(html.contains("aria-label=\"K11, ") && html.contains(", your General\""));
        view.draft = Some("GN K11\nnonsense".into());
        let html = laid(&view, "");
        assert!(html.contains("is not a unit&#39;s code") && !html.contains("formaction"), "nothing can be sealed");
    }

    #[test]
    fn what_is_sealed_lies_still_until_it_is_changed() {
        let mut view = samples::view();
        view.own = Some(samples::sealed("GN K11", "this deployment"));
        let html = laid(&view, "");
        assert!(!html.contains("id=\"table\"") && html.contains("Change it") && html.contains("Take it back"));
        view.draft = Some("GN K10".into());
        assert!(laid(&view, "").contains("Leave it as it is sealed"));
    }

    #[test]
    fn a_held_unit_shows_where_it_can_go() {
        let (mut view, _) = samples::fought();
        let unit = view.standing.places(view.side, &view.standing.draft(view.side, "").unwrap(), view.side);
        let mine = unit.iter().flatten().find(|place| place.mine && !place.goals.is_empty()).unwrap();
        let goal = &mine.goals[0];
        let html = laid(&view, &mine.name);
        assert!(html.contains("class=\"mine held\"") && html.contains(&format!("id=\"at-{}\"", goal.place)));
        assert!(html.contains(", in reach: "));
        view.draft = Some("A1-A1".into());
        let html = laid(&view, "");
        assert!(html.contains("Seal 1 order (1 will not be carried out)") && html.contains("Drop it"), "{html}");
    }

    #[test]
    fn the_page_says_when_the_turn_is_due_and_what_is_used_then() {
        let (mut view, _) = samples::fought();
        assert!(!laid(&view, "").contains("class=\"deadline\""));
        view.due = Some(samples::NOON);
        assert!(laid(&view, "").contains("an empty list will be used, and the turn counts as missed"));
        view.draft = Some("G8-F8".into());
        assert!(laid(&view, "").contains("what is written here is used: 1 order."));
        view.missed.blue = crate::play::deadline::Missed { all: 4, running: 2 };
        assert!(laid(&view, "").contains("Blue has missed 4 turns, the last 2 running."));
        view.own = Some(samples::sealed("", "an empty list"));
        view.draft = None;
        assert!(!laid(&view, "").contains("by then"));
        let mut view = samples::view();
        view.due = Some(samples::NOON);
        assert!(laid(&view, "").contains("If your deployment is not whole by then, the game is void."));
    }

    #[test]
    fn questions_are_answered_on_the_page() {
        let (view, turn) = samples::fought();
        let answered = answer(&view, Some(&turn), "last day");
        assert!(!answered.chapters.is_empty() && answered.problem.is_none());
        assert!(!answer(&view, None, " my units ").chapters.is_empty());
        let odd = answer(&view, None, "dance");
        assert!(odd.problem.unwrap().contains("dance") && odd.chapters.is_empty());
        assert!(answer(&view, None, "  ").question.is_empty());
    }

    #[test]
    fn every_state_has_its_news() {
        let news = |view: &SeatView| news(view, &view.standing.entry_form(view.side));
        let mut view = samples::view();
        assert_eq!(news(&view).look, "due");
        view.other = Some(Seal { hash: "b".repeat(64), at: samples::NOON });
        assert!(news(&view).next.contains("Blue has sealed"));
        view.other = None;
        view.own = Some(samples::sealed("", "a deployment"));
        assert_eq!(news(&view).headline, "Sealed. Waiting for Blue.");
        view.ended = Some(samples::ended());
        assert_eq!(news(&view).headline, "You have won.");
        view.side = Side::Blue;
        assert_eq!(news(&view).headline, "You have lost.");
    }

    #[test]
    fn a_day_that_was_fought_is_told_in_short() {
        let (view, turn) = samples::fought();
        let page = seat_page(view, Some(&turn), &Asked::default(), AtTable::default(), &[], "");
        let last = page.last.as_ref().unwrap();
        assert!(last.lines.iter().any(|line| line.text.contains("left, Blue")));
        assert!(page.render().unwrap().contains("/games/0123456789ab/red/days/1"));
    }
}
