//! Doing something at the desk. Whatever it is goes through one page, which says what it does, asks for the reason, and
//! does it only when that page's button is pressed.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz::TimeZone;

use super::session::Desk;
use crate::clock::Timestamp;
use crate::pace::{Pace, USUAL_HOURS};
use crate::play::admin::open::{GameForTwo, Invited};
use crate::play::admin::{Act, Acted, Admin, Cause, REASON_MAX};
use crate::play::boards::{NewBoard, setup_on};
use crate::play::terms::Terms;
use crate::play::webhooks::NewWebhook;
use crate::play::{GameId, PlayError};
use crate::rules::{BoardText, BySide, Outcome, Side};
use crate::web::WebState;
use crate::web::error::{self, PageError};
use crate::web::pages::field_command::{self, BoardChoice, USUAL_LIMIT};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, field_problem};
use crate::web::pages::new::SPANS;

/// What can be done.
struct Kind {
    /// The word in the form.
    word: &'static str,
    heading: &'static str,
    /// What it does, in sentences.
    explanation: &'static str,
    /// The words on the button.
    button: &'static str,
    /// What it needs to know.
    inputs: &'static [Input],
    /// Where it leads where it is not about a game.
    back: &'static str,
}

/// Something that is asked for, or carried along.
struct Input {
    name: &'static str,
    label: &'static str,
    look: Look,
}

/// How an input looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Hidden,
    Moment,
    Address,
    /// An address that is needed in some cases only.
    AddressIfAny,
    Words,
    Side,
    Outcome,
    /// A name, which may stay empty.
    Name,
    /// Where a webhook is.
    Url,
    /// A board to play on.
    Board,
    /// The time for each turn.
    Span,
    /// Yes or no.
    Tick,
    /// A board in writing, which is shown before it counts.
    Drawing,
    /// Some words, which may stay empty.
    About,
}

const GAME: Input = Input { name: "game", label: "", look: Look::Hidden };
const SIDE: Input = Input { name: "side", label: "Whose seat", look: Look::Side };

/// A seat of a game that is opened for two people.
const fn player(name: &'static str, label: &'static str, look: Look) -> Input {
    Input { name, label, look }
}

const WEBHOOK: Input = Input { name: "webhook", label: "", look: Look::Hidden };

/// Everything that can be done here.
static KINDS: [Kind; 20] = [
    Kind {
        word: "deadline",
        heading: "Move the deadline",
        explanation: "The awaited turn is due at the moment that you give, nearer or farther. Both players get a letter.",
        button: "Move the deadline",
        inputs: &[GAME, Input { name: "due", label: "Due (UTC)", look: Look::Moment }],
        back: "",
    },
    Kind {
        word: "pause",
        heading: "Pause the game",
        explanation: "Nothing is due until the moment that you give; what was left of the turn’s time runs after it. Both \
                      players get a letter. If both seal, the turn is resolved all the same.",
        button: "Pause the game",
        inputs: &[GAME, Input { name: "until", label: "Until (UTC)", look: Look::Moment }],
        back: "",
    },
    Kind {
        word: "resume",
        heading: "Let the game go on",
        explanation: "The pause ends now, and the turn has the time that it would have had after it. Both players get a \
                      letter.",
        button: "Let it go on",
        inputs: &[GAME],
        back: "",
    },
    Kind {
        word: "cancel",
        heading: "Cancel the game",
        explanation: "The game ends without a result, and nobody can take that back. What lies sealed or drafted is erased \
                      unread. Both players get a letter.",
        button: "Cancel the game",
        inputs: &[GAME],
        back: "",
    },
    Kind {
        word: "result",
        heading: "Declare the result",
        explanation: "The game ends with the result that you choose, and nobody can take that back. What lies sealed or \
                      drafted is erased unread. Both players get a letter.",
        button: "Declare the result",
        inputs: &[GAME, Input { name: "outcome", label: "Result", look: Look::Outcome }],
        back: "",
    },
    Kind {
        word: "reissue",
        heading: "Give a seat a new link",
        explanation: "The old link opens nothing any more, and what lies at the seat is dropped unread. The new link goes by \
                      letter to the seat’s confirmed address. Only where there is none, give an address: then the opponent \
                      is asked to agree.",
        button: "Give it a new link",
        inputs: &[
            GAME,
            SIDE,
            Input { name: "address", label: "Address, if the seat has no confirmed one", look: Look::AddressIfAny },
        ],
        back: "",
    },
    Kind {
        word: "replace",
        heading: "Give a seat to somebody else",
        explanation: "Whoever sits there is out, and what lies at the seat is dropped unread. The new player is invited by \
                      letter. Both who sat there and the opponent are told.",
        button: "Invite the new player",
        inputs: &[GAME, SIDE, Input { name: "address", label: "Address of the new player", look: Look::Address }],
        back: "",
    },
    Kind {
        word: "resend",
        heading: "Send a letter again",
        explanation: "The letter leaves once more, to whoever it was for. It says what it would say now.",
        button: "Send it again",
        inputs: &[Input { name: "letter", label: "", look: Look::Hidden }],
        back: "/admin/letters",
    },
    Kind {
        word: "block",
        heading: "Block an address",
        explanation: "From this address nobody opens a game, takes a seat, signs in or sends mail. Games that are on their \
                      way go on.",
        button: "Block it",
        inputs: &[
            Input { name: "person", label: "", look: Look::Hidden },
            Input { name: "address", label: "Address", look: Look::Address },
        ],
        back: "/admin/blocks",
    },
    Kind {
        word: "unblock",
        heading: "Lift a block",
        explanation: "The address may be used again.",
        button: "Lift the block",
        inputs: &[Input { name: "block", label: "", look: Look::Hidden }],
        back: "/admin/blocks",
    },
    Kind {
        word: "announce",
        heading: "Announce something",
        explanation: "The words stand above all pages until the moment that you give. Everybody reads them.",
        button: "Announce it",
        inputs: &[
            Input { name: "text", label: "What to say", look: Look::Words },
            Input { name: "until", label: "Until (UTC)", look: Look::Moment },
        ],
        back: "/admin",
    },
    Kind {
        word: "withdraw",
        heading: "Take an announcement down",
        explanation: "It stands above no page any more.",
        button: "Take it down",
        inputs: &[Input { name: "announcement", label: "", look: Look::Hidden }],
        back: "/admin",
    },
    Kind {
        word: "open",
        heading: "Open a game for two people",
        explanation: "Both sit at once, and each is mailed the way to their seat. The time for the deployments runs from now on. \
                      House rules and clock are the usual ones; programs can choose others.",
        button: "Open the game",
        inputs: &[
            player("red_name", "Red’s name (may stay empty)", Look::Name),
            player("red_address", "Red’s address", Look::Address),
            player("blue_name", "Blue’s name (may stay empty)", Look::Name),
            player("blue_address", "Blue’s address", Look::Address),
            Input { name: "board", label: "Board", look: Look::Board },
            Input { name: "hours", label: "Time for each turn", look: Look::Span },
            Input { name: "public", label: "Everybody may look on", look: Look::Tick },
        ],
        back: "/admin/games",
    },
    Kind {
        word: "offer_board",
        heading: "Offer a board",
        explanation: "Players may choose it for new games. Eleven lines, A to K, of eleven words like 2f: the altitude, 1 to 3, and f \
                      for forest or o for open field. Who may deploy where is the same as on any board. It is shown before it \
                      is offered.",
        button: "Offer it",
        inputs: &[
            Input { name: "alias", label: "Alias: small letters, digits, hyphens", look: Look::Name },
            Input { name: "name", label: "Name for players", look: Look::Name },
            Input { name: "about", label: "What it is like (may stay empty)", look: Look::About },
            Input { name: "board", label: "The board", look: Look::Drawing },
        ],
        back: "/admin/boards",
    },
    Kind {
        word: "retire_board",
        heading: "Retire a board",
        explanation: "It is offered for no new game. Games on it go on, and it can be offered again.",
        button: "Retire it",
        inputs: &[Input { name: "board", label: "", look: Look::Hidden }],
        back: "/admin/boards",
    },
    Kind {
        word: "add_webhook",
        heading: "Set up a webhook",
        explanation: "A program at this address is told when a turn is awaited or was resolved, and when a game is over: of all \
                      games, by ids, turn, version and time, and nothing else. Its secret is shown once.",
        button: "Set it up",
        inputs: &[Input { name: "url", label: "URL, https://…", look: Look::Url }],
        back: "/admin/webhooks",
    },
    Kind {
        word: "renew_webhook",
        heading: "Renew the secret of a webhook",
        explanation: "The new secret is shown once. For a day what is told is signed with both, so that the receiver can change \
                      over in peace; within that day the new one stays, and is shown again.",
        button: "Renew it",
        inputs: &[WEBHOOK],
        back: "/admin/webhooks",
    },
    Kind {
        word: "test_webhook",
        heading: "Send a test to a webhook",
        explanation: "It leaves at once. A webhook that was switched off is on again once it takes it.",
        button: "Send a test",
        inputs: &[WEBHOOK],
        back: "/admin/webhooks",
    },
    Kind {
        word: "retell",
        heading: "Tell a webhook something once more",
        explanation: "It leaves at once, with the same webhook-id.",
        button: "Tell it again",
        inputs: &[WEBHOOK, Input { name: "event", label: "", look: Look::Hidden }],
        back: "/admin/webhooks",
    },
    Kind {
        word: "remove_webhook",
        heading: "Remove a webhook",
        explanation: "It is told nothing more, and what is kept of it goes.",
        button: "Remove it",
        inputs: &[WEBHOOK],
        back: "/admin/webhooks",
    },
];

/// The page that asks once more.
#[derive(Template)]
#[template(path = "pages/admin/act.html")]
struct ActPage<'a> {
    frame: Frame,
    admin: Admin,
    kind: &'static Kind,
    fields: &'a Fields,
    /// The key of this form, so that pressing twice does it once.
    key: String,
    problem: Option<String>,
    /// The input that the problem is about, if it is about one.
    wrong: Option<String>,
    back: String,
    /// The boards to choose from.
    boards: Vec<BoardChoice>,
    /// The board that is to be offered, as it was written: its picture, and whether it is the same from both sides.
    drawn: Option<(String, bool)>,
}

impl ActPage<'_> {
    /// Whether the button does it; a board is shown first.
    fn is_ready(&self) -> bool {
        self.drawn.is_some() || self.kind.inputs.iter().all(|input| input.look != Look::Drawing)
    }

    /// What an input shows.
    fn value(&self, input: &Input) -> &str {
        self.fields.text(input.name)
    }

    /// Whether so many hours are chosen; the usual ones before anything is.
    fn is_chosen(&self, input: &Input, hours: u32) -> bool {
        match self.value(input) {
            "" => hours == USUAL_HOURS,
            chosen => chosen == hours.to_string(),
        }
    }

    /// Whether a box is ticked.
    fn ticked(&self, input: &Input) -> bool {
        self.fields.ticked(input.name)
    }

    /// Says of the input of a name that the problem is about it, where it is, and by what else it is described.
    fn marks(&self, name: &str, help: &str) -> String {
        let wrong = self.wrong.as_deref() == Some(name);
        let described: Vec<&str> =
            wrong.then_some("problem").into_iter().chain((!help.is_empty()).then_some(help)).collect();
        let invalid = if wrong { " aria-invalid=\"true\"" } else { "" };
        match &described[..] {
            [] => String::new(),
            ids => format!("{invalid} aria-describedby=\"{}\"", ids.join(" ")),
        }
    }

    /// Who reads the reason.
    fn readers(&self) -> &'static str {
        let of_players = ["game", "letter", "red_address"];
        if self.kind.inputs.iter().any(|input| of_players.contains(&input.name)) {
            "The players whom it concerns read it."
        } else {
            "It stands in the log, which organisers alone read."
        }
    }

    /// Whether an input is needed: not where something else was chosen already.
    fn asked(&self, input: &Input) -> bool {
        input.look != Look::Hidden && (input.name != "address" || self.fields.text("person").is_empty())
    }
}

/// A secret that was made now.
#[derive(Template)]
#[template(path = "pages/admin/secret.html")]
struct SecretPage {
    frame: Frame,
    admin: Admin,
    secret: String,
    back: String,
}

/// GET /admin/act, after a reload.
pub async fn back() -> Response {
    frame::see("/admin")
}

/// POST /admin/act: `do` says what; with `sure` it is done, and asked before.
pub async fn post(State(state): State<WebState>, Desk(admin): Desk, fields: Fields) -> Result<Response, PageError> {
    let kind = KINDS.iter().find(|kind| kind.word == fields.text("do"));
    let kind = kind.ok_or_else(|| PageError::odd_form("The form does not say what to do."))?;
    let back = match fields.text("game") {
        "" => kind.back.to_owned(),
        game => format!("/admin/games/{}", GameId::parse(game).ok_or_else(PageError::not_found)?),
    };
    let boards = match kind.word {
        "open" => field_command::choices(&state.play).await?,
        _ => Vec::new(),
    };
    let ask = |problem: Option<PlayError>, admin: Admin| {
        let mut problem = problem;
        let drawn = match kind.word {
            "offer_board" if !fields.text("board").is_empty() && !fields.ticked("change") => {
                match written_board(&fields)
                    .and_then(|text| setup_on(&text, 0, 0).map_err(|error| wrong("board", &error)))
                {
                    Ok(setup) => Some(field_command::picture_of(setup)),
                    Err(error) => {
                        problem = problem.or(Some(error));
                        None
                    }
                }
            }
            _ => None,
        };
        let wrong = match &problem {
            Some(PlayError::Field { field, .. }) => Some(field.replace('.', "_")),
            _ => None,
        };
        let (status, problem) = match problem {
            None => (StatusCode::OK, None),
            Some(PlayError::Field { field, problem }) => {
                (StatusCode::UNPROCESSABLE_ENTITY, Some(field_problem(&field.replace(['_', '.'], " "), &problem)))
            }
            Some(problem) => (error::status(&problem), Some(problem.to_string())),
        };
        let key = match fields.text("key") {
            "" => state.play.form_key(),
            // A refused request was not kept, so its key may be used once more.
            key => key.to_owned(),
        };
        let frame = Frame::plain(kind.heading);
        let (fields, back, boards) = (&fields, back.clone(), boards.clone());
        frame::page(status, &ActPage { frame, admin, kind, fields, key, problem, wrong, back, boards, drawn })
    };
    if !fields.ticked("sure") || fields.ticked("change") {
        return Ok(ask(None, admin));
    }
    let act = match act(kind, &fields, &boards) {
        Ok(act) => act,
        Err(problem) => return Ok(ask(Some(problem), admin)),
    };
    let cause = Cause {
        reason: fields.text("reason").to_owned(),
        note: fields.text("note").to_owned(),
        key: Some(fields.text("key").to_owned()).filter(|key| !key.is_empty()),
        version: fields.text("version").parse().ok(),
    };
    match state.play.act(&admin, cause, act).await {
        Ok(Acted { secret: Some(secret), .. }) => {
            let frame = Frame::plain("The secret of the webhook");
            Ok(frame::page(StatusCode::OK, &SecretPage { frame, admin, secret: secret.reveal().to_owned(), back }))
        }
        // A game that was opened now is where it goes on.
        Ok(Acted { act, .. }) => Ok(frame::see(&match act.game {
            Some(game) if back == "/admin/games" => format!("/admin/games/{game}"),
            _ => back,
        })),
        Err(error @ (PlayError::Store(_) | PlayError::Broken(_))) => Err(error.into()),
        Err(problem) => Ok(ask(Some(problem), admin)),
    }
}

/// Reads what is to be done.
fn act(kind: &Kind, fields: &Fields, boards: &[BoardChoice]) -> Result<Act, PlayError> {
    let game = || GameId::parse(fields.text("game")).ok_or(PlayError::NotFound);
    let side = || Side::from_word(fields.text("side")).ok_or_else(|| wrong("side", "is Red or Blue"));
    let text = |name: &str| fields.text(name).to_owned();
    Ok(match kind.word {
        "deadline" => Act::Deadline { game: game()?, due: moment("due", fields)? },
        "pause" => Act::Pause { game: game()?, until: moment("until", fields)? },
        "resume" => Act::Resume { game: game()? },
        "cancel" => Act::Cancel { game: game()? },
        "result" => {
            let outcome = match fields.text("outcome") {
                "red_wins" => Outcome::RedWins,
                "blue_wins" => Outcome::BlueWins,
                "draw" => Outcome::Draw,
                _ => return Err(wrong("outcome", "is to be chosen")),
            };
            Act::Declare { game: game()?, outcome }
        }
        "reissue" => Act::Reissue { game: game()?, side: side()?, address: text("address") },
        "replace" => Act::Replace { game: game()?, side: side()?, address: text("address") },
        "resend" => Act::Resend { letter: text("letter") },
        "block" => Act::Block { person: text("person"), address: text("address") },
        "unblock" => Act::Unblock { block: text("block") },
        "announce" => Act::Announce { text: text("text"), until: moment("until", fields)? },
        "open" => Act::Open(Box::new(game_for_two(fields, boards)?)),
        "offer_board" => Act::OfferBoard(Box::new(NewBoard {
            alias: text("alias"),
            name: text("name"),
            about: text("about"),
            text: written_board(fields)?,
        })),
        "retire_board" => Act::RetireBoard { board: text("board") },
        "add_webhook" => Act::AddWebhook(NewWebhook { url: text("url"), kinds: Vec::new() }),
        "renew_webhook" => Act::RenewWebhook { webhook: text("webhook") },
        "test_webhook" => Act::TestWebhook { webhook: text("webhook") },
        "retell" => Act::Retell { webhook: text("webhook"), event: text("event") },
        "remove_webhook" => Act::RemoveWebhook { webhook: text("webhook") },
        _ => Act::Withdraw { announcement: text("announcement") },
    })
}

/// Reads a board as it was written.
fn written_board(fields: &Fields) -> Result<BoardText, PlayError> {
    BoardText::from_lines(fields.text("board")).map_err(|error| wrong("board", &format!("cannot be read: {error}")))
}

/// Reads a game to be opened for two people.
fn game_for_two(fields: &Fields, boards: &[BoardChoice]) -> Result<GameForTwo, PlayError> {
    let invited = |name: &str, address: &str| Invited {
        name: fields.text(name).to_owned(),
        address: fields.text(address).trim().to_owned(),
    };
    let setup = field_command::setup_of(boards, fields.text("board"), USUAL_LIMIT, 0);
    let hours = fields.text("hours").parse().map_err(|_| wrong("hours", "is to be chosen"))?;
    Ok(GameForTwo {
        setup: setup.ok_or_else(|| wrong("board", "is to be chosen"))?,
        players: BySide { red: invited("red_name", "red_address"), blue: invited("blue_name", "blue_address") },
        pace: Pace::Span { hours, first_hours: hours },
        terms: Terms::default(),
        public: fields.ticked("public"),
    })
}

fn wrong(field: &'static str, problem: &str) -> PlayError {
    PlayError::Field { field, problem: problem.to_owned() }
}

/// A moment as browsers send it, `2026-12-01T20:00`, in UTC.
fn moment(field: &'static str, fields: &Fields) -> Result<Timestamp, PlayError> {
    let read = || {
        let moment: jiff::civil::DateTime = fields.text(field).trim().parse().ok()?;
        Some(Timestamp(TimeZone::UTC.to_timestamp(moment).ok()?.as_millisecond()))
    };
    read().ok_or_else(|| wrong(field, "is no moment: it looks like 2026-12-01T20:00"))
}

/// A moment as browsers want it in a field.
pub(super) fn field_moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map(|at| TimeZone::UTC.to_datetime(at).strftime("%Y-%m-%dT%H:%M").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_back_as_they_were_shown() {
        let at = Timestamp(1_795_995_240_000);
        let fields = Fields::of(&[("due", &field_moment(at)), ("until", "tomorrow")]);
        assert_eq!(moment("due", &fields), Ok(at));
        assert!(moment("until", &fields).is_err());
    }

    #[test]
    fn every_kind_becomes_an_act() {
        let fields = Fields::of(&[
            ("game", "8q4nwz0v6m2k"),
            ("side", "red"),
            ("outcome", "draw"),
            ("due", "2026-12-01T20:00"),
            ("until", "2026-12-01T20:00"),
            ("board", "classic"),
            ("hours", "72"),
        ]);
        let boards = field_command::boards();
        for kind in KINDS.iter().filter(|kind| kind.word != "offer_board") {
            assert!(act(kind, &fields, boards).is_ok(), "{}", kind.word);
            assert!(kind.inputs.iter().any(|input| input.name == "game") == kind.back.is_empty(), "{}", kind.word);
        }
    }
}
