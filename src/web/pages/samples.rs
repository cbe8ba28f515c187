//! Sample data with which the tests render every template.

use crate::clock::Timestamp;
use crate::play::boards::BoardNames;
use crate::play::challenge::{ChallengeLine, ChallengePage, Record};
use crate::play::invite::InvitationView;
use crate::play::mailed::{Errand, MailedLink};
use crate::play::public::{Cursor, PublicLine, PublicPage};
use crate::play::resolve::How;
use crate::play::view::{Ended, GameLine, Seal, SealedSheet, SeatView, Spectacle, TurnView};
use crate::play::{GameId, Secret};
use crate::rules::{BySide, Outcome, Setup, Sheet, Side, Standing};
use crate::web::pages::field_command;

/// 29 November 2026, noon.
pub const NOON: Timestamp = Timestamp(1_795_953_600_000);

fn game() -> GameId {
    GameId::parse("0123456789ab").unwrap()
}

fn setup() -> Setup {
    field_command::chosen_setup("classic", 12, 0).unwrap()
}

fn board() -> BoardNames {
    BoardNames { alias: "classic".into(), name: "classic".into() }
}

fn names() -> BySide<Option<String>> {
    BySide { red: Some("Ann".into()), blue: Some("Ben".into()) }
}

/// Red's view of a game in which both deployments are awaited.
pub fn view() -> SeatView {
    SeatView {
        game: game(),
        side: Side::Red,
        setup: setup(),
        board: Some(board()),
        names: names(),
        computers: BySide::default(),
        hints: false,
        standing: Standing::open(setup()),
        own: None,
        other: None,
        opponent_present: true,
        invitation: None,
        may_unseat: true,
        link: Secret::sent("redlink"),
        calendar: None,
        address: None,
        unconfirmed: None,
        ended: None,
        opened_at: NOON,
        resolved: Vec::new(),
        version: 1,
        draft: None,
        one_device: false,
        pace: crate::pace::Pace::Open,
        due: None,
        missed: BySide::default(),
        time: crate::play::time::TimeView::default(),
        unwatched: None,
        result_first: false,
        offers: Vec::new(),
        continues: None,
        continued_in: None,
        company: crate::play::company::SeatCompany::default(),
        stopped: crate::rules::BySide { red: None, blue: None },
        organiser: crate::play::admin::shown::OrganiserView::default(),
    }
}

/// The link that confirms the address of Red's seat.
pub fn mailed_link() -> MailedLink {
    let seat = Some((game(), Side::Red));
    MailedLink {
        errand: Errand::Confirm,
        address: "ann@example.org".into(),
        seat,
        person: None,
        before: None,
        allows: None,
        reason: None,
    }
}

/// A sealed sheet.
pub fn sealed(text: &str, measure: &str) -> SealedSheet {
    SealedSheet {
        text: text.into(),
        measure: measure.into(),
        seal: Seal { hash: "a".repeat(64), at: NOON },
        salt: "0".repeat(32),
    }
}

/// A game that Red has won.
pub fn ended() -> Ended {
    Ended { outcome: Some(Outcome::RedWins), how: "Blue's General has been removed: Red wins.".into(), at: NOON }
}

/// Red's view after the first day, and that day.
pub fn fought() -> (SeatView, TurnView) {
    let open = Standing::open(setup());
    let ready = |side: Side| open.parse(side, &open.entry_form(side).presets[0].text).unwrap();
    let resolve = |standing: &Standing, red: &Sheet, blue: &Sheet| standing.resolve(BySide { red, blue });
    let (dawn, _) = resolve(&open, &ready(Side::Red), &ready(Side::Blue));
    let orders =
        BySide { red: dawn.parse(Side::Red, "G8-F8 A1-A2").unwrap(), blue: dawn.parse(Side::Blue, "hold").unwrap() };
    let (dusk, report) = resolve(&dawn, &orders.red, &orders.blue);
    let turn = TurnView {
        turn: 1,
        name: "Day 1".into(),
        story: report.story(&setup()),
        report,
        sheets: BySide { red: sealed("G8-F8 A1-A2", "2 orders"), blue: sealed("", "an empty list") },
        how: BySide { red: How::Sealed, blue: How::Sealed },
        chain: "c".repeat(64),
        resolved_at: NOON,
    };
    (SeatView { standing: dusk, resolved: vec![0, 1], may_unseat: false, ..view() }, turn)
}

/// The same game as everybody may see it, if it is public.
pub fn public() -> (Spectacle, TurnView) {
    let (view, turn) = fought();
    let spectacle = Spectacle {
        game: view.game,
        setup: view.setup,
        board: view.board,
        pace: view.pace,
        names: view.names,
        computers: view.computers,
        seated: true,
        free: BySide { red: false, blue: false },
        terms: crate::play::terms::Terms::default(),
        standing: view.standing,
        due: None,
        resolved: view.resolved,
        ended: None,
        opened_at: NOON,
        rematch_of: None,
    };
    (spectacle, turn)
}

/// A page of public games with one that Red has won.
pub fn public_page() -> PublicPage {
    let (view, _) = public();
    let line = PublicLine {
        turn_name: view.standing.turn_name(),
        turn: view.standing.turn(),
        game: view.game,
        setup: view.setup,
        board: view.board,
        names: view.names,
        computers: view.computers,
        due: None,
        begun_at: NOON,
        ended: Some(ended()),
    };
    PublicPage { games: vec![line], next: Cursor::parse("1-0123456789ab") }
}

/// One open challenge of somebody who has played before.
pub fn challenges() -> ChallengePage {
    let challenge = ChallengeLine {
        game: game(),
        side: Side::Blue,
        setup: setup(),
        board: Some(board()),
        pace: crate::pace::Pace::Open,
        turn: 0,
        turn_name: "Deployment".into(),
        terms: crate::play::terms::Terms::default(),
        public: false,
        from: Some("Ann".into()),
        record: Some(Record { finished: 3, missed: 0 }),
        ends_at: NOON,
    };
    ChallengePage { challenges: vec![challenge], next: None }
}

/// An invitation to Blue's seat.
pub fn invitation() -> InvitationView {
    InvitationView {
        game: game(),
        side: Side::Blue,
        setup: setup(),
        board: Some(board()),
        start: Standing::open(setup()),
        now: Standing::open(setup()),
        pace: crate::pace::Pace::Open,
        terms: crate::play::terms::Terms::default(),
        public: false,
        from: Some("Ann".into()),
        own: false,
        by_organiser: false,
    }
}

/// Three games: one that waits for Blue, one that waits for the other side, one that is over.
pub fn game_lines() -> Vec<GameLine> {
    let line = GameLine {
        game: game(),
        side: Side::Blue,
        game_name: "Field Command",
        names: names(),
        computers: BySide::default(),
        opponent_present: true,
        turn_name: "Day 5".into(),
        waits_for_me: true,
        ended: None,
        one_device: false,
        sitting: None,
        unwatched: None,
        due: None,
    };
    vec![
        GameLine { waits_for_me: false, side: Side::Red, ..line.clone() },
        GameLine { ended: Some(ended()), waits_for_me: false, ..line.clone() },
        line,
    ]
}
