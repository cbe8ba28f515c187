//! Computer players: games against one, who answers for it, what it agrees to, hints, and games that it finishes; on both
//! databases, and on a whole server.

use fieldcommand::bot::{Budget, Level};
use fieldcommand::pace::Pace;
use fieldcommand::play::agree::{OfferAct, OfferKind, ToAgree};
use fieldcommand::play::computer::Computer;
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::open::{Company, NewGame, SideChoice};
use fieldcommand::play::resolve::How;
use fieldcommand::play::{Play, PlayError};
use fieldcommand::rules::{Outcome, Side};
use fieldcommand::runner::computers;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::world::forms::Form;
use crate::world::game::Game;
use crate::world::server::{Program, Server};
use crate::world::{Player, Table, World, deployment, mailbox, new_game};

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;
const PACE: Pace = Pace::Span { hours: 24, first_hours: 24 };

/// Lets the computers write whatever is awaited of them, and says how many did.
async fn compute(play: &Play) -> usize {
    computers::answer_all(play, Budget(50), &CancellationToken::new()).await.unwrap()
}

/// Ann as Red against a computer.
async fn against(world: &World, level: Level) -> Player {
    let opened = world.play.open_against(new_game(12, ""), level).await.unwrap();
    assert_eq!(opened.side, Side::Red);
    Player::new(&world.play, world.play.seat_of_link(&opened.link).await.unwrap())
}

/// What the player says about an offer.
fn about(kind: OfferKind, turn: u32, from_turn: Option<u32>) -> ToAgree {
    ToAgree { kind, turn, act: OfferAct::Offer, from_turn }
}

#[tokio::test]
async fn a_computer_sits_opposite_and_writes_whenever_it_is_awaited() {
    for world in World::both().await {
        let ann = against(&world, Level::Easy).await;
        let view = ann.sees().await;
        assert!(view.opponent_present && !view.may_unseat && view.invitation.is_none() && !view.company.public);
        assert_eq!(view.names.blue.as_deref(), Some("Computer (easy)"));
        assert_eq!((view.computers.red, view.computers.blue), (None, Some(Computer { level: Level::Easy, since: 0 })));
        assert_eq!((view.company.mailbox.open, view.company.blocked, view.due), (false, None, None));
        assert_eq!(compute(&world.play).await, 1);
        assert_eq!(compute(&world.play).await, 0, "once a turn");
        assert!(ann.sees().await.other.is_some());
        ann.deploys("balanced").await.unwrap();
        // Whoever is first: the second seal resolves, and is not asked whether it may.
        for turn in 1..=3 {
            if turn == 2 {
                ann.submits("").await.unwrap();
                assert!(ann.sees().await.own.is_some());
                assert_eq!(compute(&world.play).await, 2, "the day that Ann has sealed, and the next one");
            } else {
                assert_eq!(compute(&world.play).await, usize::from(turn == 1));
                let sheet = fieldcommand::play::seal::ToSeal {
                    turn,
                    text: "hold".into(),
                    empty_is_meant: false,
                    may_resolve: false,
                    is_final: false,
                };
                assert!(world.play.seal(&ann.seat, sheet).await.unwrap().resolved);
            }
            assert_eq!(ann.sees().await.standing.turn(), turn + 1);
        }
        let record = world.play.record(&ann.seat).await.unwrap();
        let computer = record.computers.blue.as_ref().unwrap();
        assert_eq!((&*computer.level, computer.from_turn, &record.computers.red), ("easy", 0, &None));
        let replayed = fieldcommand::record::replay(&record).unwrap();
        assert!(replayed.wrong.is_empty());
        let text = fieldcommand::record::text(&record, &replayed);
        assert!(text.contains("Ann (Red) against Computer (easy) (Blue)"), "{text}");
        assert!(text.contains("Blue was played by the computer, level easy."), "{text}");
        // When the game is over nobody is called any more.
        world.play.resign(&ann.seat).await.unwrap();
        assert_eq!(compute(&world.play).await, 0);
        world.end().await;
    }
}

#[tokio::test]
async fn a_call_belongs_to_one_process_until_its_lease_is_over() {
    for world in World::both().await {
        let ann = against(&world, Level::Medium).await;
        let other = world.play.clone();
        let (first, second) = (world.play.lease_call().await.unwrap(), other.lease_call().await.unwrap());
        let first = first.unwrap();
        assert!(second.is_none(), "one at a time");
        world.wait(59);
        assert!(other.lease_call().await.unwrap().is_none());
        // The first process has stopped; the other one computes the same.
        world.wait(1);
        let again = other.lease_call().await.unwrap().unwrap();
        assert_eq!((first.seed, first.level, first.side()), (again.seed, again.level, Side::Blue));
        let sheet = fieldcommand::bot::sheet(&first.standing, Side::Blue, first.level, first.seed, Budget(50));
        other.answer_call(&again, &sheet).await.unwrap();
        let seal = ann.sees().await.other.unwrap();
        world.play.answer_call(&first, &sheet).await.unwrap();
        assert_eq!(ann.sees().await.other, Some(seal), "nothing happens twice");
        ann.deploys("balanced").await.unwrap();
        let next = world.play.lease_call().await.unwrap().unwrap();
        assert_ne!(next.seed, first.seed);
        // Late answers find the turn over.
        world.play.answer_call(&first, &sheet).await.unwrap();
        assert_eq!(ann.sees().await.standing.turn(), 1);
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_that_cannot_be_read_holds_up_no_other() {
    for world in World::both().await {
        let (spoilt, sound) = (against(&world, Level::Easy).await, against(&world, Level::Easy).await);
        world.spoil(spoilt.seat.game().as_str()).await;
        assert_eq!(compute(&world.play).await, 1);
        assert!(sound.sees().await.other.is_some());
        // It is tried again when its lease is over, and no sooner.
        assert_eq!(world.count("computer_calls").await, 1);
        world.wait(60);
        assert_eq!(compute(&world.play).await, 0);
        world.end().await;
    }
}

#[tokio::test]
async fn a_computer_agrees_to_next_to_nothing_and_gets_no_mail() {
    for world in World::both().await {
        let new = NewGame { pace: PACE, ..new_game(12, "ann@example.org") };
        let opened = world.play.open_against(new, Level::Easy).await.unwrap();
        mailbox::confirm_all(&world.play, world.path()).await;
        let ann = Player::new(&world.play, world.play.seat_of_link(&opened.link).await.unwrap());
        assert!(ann.sees().await.due.is_some());
        compute(&world.play).await;
        ann.deploys("balanced").await.unwrap();
        compute(&world.play).await;
        ann.submits("").await.unwrap();
        for offer in [about(OfferKind::Draw, 2, None), about(OfferKind::Continue, 2, Some(1))] {
            let refused = world.play.agree(&ann.seat, offer).await.unwrap_err();
            assert!(refused.to_string().starts_with("The computer declines"), "{refused}");
        }
        assert!(ann.sees().await.offers.is_empty());
        let until = fieldcommand::clock::Timestamp(world.now().0 + 5 * DAY * 1000);
        let refused = world.play.offer_pause(&ann.seat, until).await.unwrap_err();
        assert!(refused.to_string().contains("the computer agrees to no pause"), "{refused}");
        let message = ToSend { text: "Well played".into(), all_the_same: false };
        assert_eq!(world.play.send_message(&ann.seat, message).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(world.play.unseat(&ann.seat).await.unwrap_err(), PlayError::Begun);
        // Nobody is called absent but the person; the computer wins by it as a person would.
        for _ in 0..8 {
            world.wait(DAY);
            world.play.resolve_due().await.unwrap();
        }
        let view = ann.sees().await;
        assert_eq!((view.missed.blue.all, view.ended.unwrap().outcome), (0, Some(Outcome::BlueWins)));
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert!(letters.iter().all(|letter| letter.contains("ann@example.org")));
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_against_the_computer_is_private_and_forgotten_when_it_lies_still() {
    for world in World::both().await {
        for company in
            [Company { public: true, challenge_days: None }, Company { public: false, challenge_days: Some(3) }]
        {
            let refused = world.play.open_against(NewGame { company, ..new_game(12, "") }, Level::Easy).await;
            assert!(matches!(refused, Err(PlayError::Field { .. })), "{refused:?}");
        }
        let named = NewGame { name: "Computer (hard)".into(), ..new_game(12, "") };
        assert!(matches!(world.play.open(named).await, Err(PlayError::Field { field: "name", .. })));

        let opened = world.play.open_against(new_game(12, "ann@example.org"), Level::Easy).await.unwrap();
        mailbox::confirm_all(&world.play, world.path()).await;
        let ann = Player::new(&world.play, world.play.seat_of_link(&opened.link).await.unwrap());
        compute(&world.play).await;
        world.wait(15 * DAY);
        world.play.resolve_due().await.unwrap();
        assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 1, "a nudge");
        world.wait(44 * DAY);
        world.play.resolve_due().await.unwrap();
        assert!(ann.sees().await.ended.is_none());
        world.wait(2 * DAY);
        world.play.resolve_due().await.unwrap();
        let ended = ann.sees().await.ended.unwrap();
        assert_eq!((ended.outcome, &*ended.how), (None, "The game had lain still for long and was closed unfinished."));
        assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 0, "silently");
        world.end().await;
    }
}

#[tokio::test]
async fn a_rematch_against_the_computer_begins_at_once() {
    for world in World::both().await {
        let ann = against(&world, Level::Hard).await;
        compute(&world.play).await;
        world.play.resign(&ann.seat).await.unwrap();
        let taken = world.play.play_again(&ann.seat).await.unwrap();
        assert_eq!(taken.side, Side::Blue);
        let again = Player::new(&world.play, world.play.seat_of_link(&taken.link).await.unwrap());
        let view = again.sees().await;
        assert_eq!((view.names.red.as_deref(), view.names.blue.as_deref()), (Some("Computer (hard)"), Some("Ann")));
        assert!(view.opponent_present && !view.company.kept);
        assert_eq!(compute(&world.play).await, 1);
        again.deploys("balanced").await.unwrap();
        assert_eq!(again.sees().await.standing.turn(), 1);
        assert_eq!(world.play.play_again(&ann.seat).await.unwrap().game, taken.game, "there is one rematch");
        world.end().await;
    }
}

/// Two games that differ only in what the computer has written are alike to its opponent, but for the seal.
#[tokio::test]
async fn a_computers_sheet_shows_nothing_before_its_time() {
    let mut seen = Vec::new();
    for key in ["hook", "fortress"] {
        let world = World::sqlite().await;
        let ann = against(&world, Level::Hard).await;
        let call = world.play.lease_call().await.unwrap().unwrap();
        let sheet = call.standing.parse(Side::Blue, &deployment(Side::Blue, key)).unwrap();
        world.play.answer_call(&call, &sheet).await.unwrap();
        let mut view = ann.sees().await;
        view.other.as_mut().unwrap().hash.clear();
        seen.push(format!("{view:?}"));
        world.end().await;
    }
    assert_eq!(seen[0], seen[1]);
}

/// Blue misses three days after the deployment.
async fn blue_stays_away(world: &World, table: &Table) {
    table.deploy().await;
    for _ in 0..3 {
        table.red.submits("").await.unwrap();
        world.wait(DAY);
        table.play.resolve_due().await.unwrap();
    }
}

#[tokio::test]
async fn the_computer_finishes_for_who_stays_away() {
    for world in World::both().await {
        for substitute_first in [false, true] {
            let table = world.table_at(PACE).await;
            let (play, red) = (&table.play, &table.red);
            assert_eq!(play.let_computer_finish(&red.seat, Level::Hard).await, Err(PlayError::NoClaim));
            blue_stays_away(&world, &table).await;
            table.blue.submits("E4-E5").await.unwrap();
            assert_eq!(play.let_computer_finish(&red.seat, Level::Hard).await, Err(PlayError::NoClaim), "Blue is back");
            play.withdraw_sheet(&table.blue.seat, 4).await.unwrap();
            if substitute_first {
                play.seek_substitute(&red.seat).await.unwrap();
            }
            let invitation = red.sees().await.invitation;
            world.wait(HOUR);
            play.let_computer_finish(&red.seat, Level::Medium).await.unwrap();
            let view = red.sees().await;
            assert_eq!(view.computers.blue, Some(Computer { level: Level::Medium, since: 4 }));
            assert_eq!(view.names.blue.as_deref(), Some("Computer (medium)"));
            assert_eq!(view.due.unwrap().0, world.now().0 + DAY * 1000, "a whole span");
            assert_eq!((view.time.claim, view.invitation.is_none()), (None, true));
            assert_eq!(play.let_computer_finish(&red.seat, Level::Hard).await, Err(PlayError::NoClaim), "once");
            assert_eq!(table.blue.submits_for(4, "").await, Err(PlayError::NotFound), "the old link opens nothing");
            if let Some(invitation) = invitation {
                assert_eq!(play.take_seat(&invitation, "Eve").await.unwrap_err(), PlayError::InvitationWithdrawn);
            }
            assert_eq!(compute(play).await, 1);
            red.submits("").await.unwrap();
            assert_eq!(red.sees().await.standing.turn(), 5);
            let record = play.record(&red.seat).await.unwrap();
            assert_eq!(record.computers.blue.as_ref().unwrap().from_turn, 4);
            let text = fieldcommand::record::text(&record, &fieldcommand::record::replay(&record).unwrap());
            assert!(text.contains("Blue was played by the computer from day 4 on, level medium."), "{text}");
            // The computer is never away, however late it is.
            red.submits("").await.unwrap();
            for _ in 0..4 {
                world.wait(2 * DAY);
                play.resolve_due().await.unwrap();
            }
            assert_eq!(red.sees().await.missed.blue.all, 0);
        }
        world.end().await;
    }
}

#[tokio::test]
async fn hints_are_for_whom_nobody_is_hurt_by() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        assert_eq!(world.play.hint(&table.red.seat, 1).await.unwrap_err(), PlayError::NoHint);
        assert!(!table.red.sees().await.hints);
        table.day("", "").await;
        world.play.resign(&table.blue.seat).await.unwrap();
        // After the end for any day that was played.
        assert!(table.red.sees().await.hints);
        for turn in 0..=1 {
            let hint = world.play.hint(&table.red.seat, turn).await.unwrap().sheet.canonical();
            assert!(turn == 1 || hint.contains("GN "), "{hint}");
        }
        assert_eq!(world.play.hint(&table.red.seat, 2).await.unwrap_err(), PlayError::NotFound);

        let ann = against(&world, Level::Easy).await;
        let hint = world.play.hint(&ann.seat, 0).await.unwrap().sheet.canonical();
        assert!(ann.sees().await.standing.parse(Side::Red, &hint).is_ok());
        assert!(ann.sees().await.draft.is_none(), "nothing is kept");
        assert!(matches!(world.play.hint(&ann.seat, 1).await, Err(PlayError::TurnAhead { .. })));

        let new = NewGame { side: SideChoice::Side(Side::Red), ..new_game(12, "") };
        let here = world.play.open_one_device(new, "Ben").await.unwrap();
        let seat = world.play.seat_of_link(&here.links.blue).await.unwrap();
        assert!(world.play.hint(&seat, 0).await.unwrap().sheet.canonical().contains("GN "));
        world.end().await;
    }
}

/// Whoever stayed away hears of it once, and of nothing that follows.
#[tokio::test]
async fn who_is_replaced_by_a_computer_gets_one_letter() {
    for world in World::both().await {
        let table = world.seated(NewGame { pace: PACE, ..new_game(12, "") }, "ben@example.org").await;
        blue_stays_away(&world, &table).await;
        mailbox::letters(&world.play, world.path()).await;
        table.play.let_computer_finish(&table.red.seat, Level::Easy).await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert_eq!(letters.len(), 1);
        assert!(letters[0].contains("ben@example.org") && letters[0].contains("a computer plays on in your place"));
        compute(&table.play).await;
        table.red.submits("").await.unwrap();
        assert!(mailbox::letters(&world.play, world.path()).await.is_empty());
        world.end().await;
    }
}

/// Whoever is left plays on against the computer, to whatever end.
#[tokio::test]
async fn a_game_that_the_computer_finishes_comes_to_an_end() {
    let world = World::sqlite().await;
    let table = world.table_at(PACE).await;
    blue_stays_away(&world, &table).await;
    table.play.let_computer_finish(&table.red.seat, Level::Easy).await.unwrap();
    for _ in 0..300 {
        let view = table.red.sees().await;
        if view.ended.is_some() {
            break;
        }
        compute(&table.play).await;
        let hint = table.play.hint(&table.red.seat, view.standing.turn()).await.unwrap();
        table.red.submits(&hint.sheet.canonical()).await.unwrap();
    }
    assert!(table.red.sees().await.ended.is_some());
    let record = table.play.record(&table.red.seat).await.unwrap();
    assert!(fieldcommand::record::replay(&record).unwrap().wrong.is_empty());
    assert!(record.turns[1].blue.how == How::Missed && record.turns[4].blue.how == How::Sealed);
    world.end().await;
}

/// The awaited turn of a seat, once it is past `turn` or the game is over.
async fn past(player: &Program, seat: &str, turn: u64) -> Value {
    for _ in 0..600 {
        let game = player.get(seat).await.json();
        if game["turn"].as_u64() > Some(turn) || !game["ended"].is_null() {
            return game;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the computer does not answer for turn {turn}")
}

/// Seals what the computer suggests, for some days or until the game is over.
async fn plays(player: &Program, seat: &str, days: u64) -> Value {
    let mut game = player.get(seat).await.json();
    let end = game["turn"].as_u64().unwrap() + days;
    while let Some(turn) = game["turn"].as_u64().filter(|turn| *turn < end && game["ended"].is_null()) {
        let hint = player.post(&format!("{seat}/hint"), &json!({"turn": turn})).await;
        assert_eq!(hint.status, 200, "{}", hint.body);
        let text = hint.json()["text"].as_str().unwrap().to_owned();
        assert_eq!(player.seals(seat, u32::try_from(turn).unwrap(), &text).await.status, 200);
        game = past(player, seat, turn).await;
    }
    game
}

/// From the first page by forms alone, then as a program, with a restart in between.
#[tokio::test]
async fn a_newcomer_plays_the_computer_on_a_whole_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_owned();
    let server = Server::start_with(3, |settings| settings.data.clone_from(&data)).await;
    let ann = server.browser();
    let home = ann.get("/").await;
    let form = Form::with(&home, "Play the computer").fill("level", "easy").fill("side", "red");
    let page = form.press(&ann, "Play the computer").await;
    assert!(page.words().contains("Red against Computer (easy)"), "{}", page.words());
    assert!(page.words().contains("Blue is played by the computer, level easy."), "{}", page.words());
    for absent in ["Block", "Invite your opponent", "Write to", "Go on from an earlier day"] {
        assert!(!page.words().contains(absent), "{absent}: {}", page.words());
    }
    let seat = format!("/games/{}", page.link("/games/").trim_start_matches("/games/").get(..12).unwrap());
    let seat = format!("{seat}/red");
    let suggested = Form::with(&page, "hint").press(&ann, "hint").await;
    assert!(suggested.words().contains("This is what the computer would write."), "{}", suggested.words());
    let sealed = Form::with(&suggested, "seal").press(&ann, "seal").await;
    let player = server.program(page.link("/s/").trim_start_matches("/s/"));
    let game = past(&player, &seat, 0).await;
    assert_eq!((&game["turn"], &game["hints"]), (&json!(1), &json!(true)), "{}", sealed.words());
    assert_eq!(game["computers"], json!({"red": null, "blue": {"level": "easy", "from_turn": 0}}));
    assert_eq!(ann.post("/play/computer", &[("level", "perfect"), ("side", "red")]).await.status, 422);
    assert_eq!(ann.get("/play/computer").await.location(), "/");
    plays(&player, &seat, 3).await;
    server.stop().await;

    let server = Server::start_with(4, |settings| settings.data.clone_from(&data)).await;
    let player = server.program(&player.token);
    let game = plays(&player, &seat, 7).await;
    if game["ended"].is_null() {
        assert_eq!(game["turn"], 11);
        assert_eq!(player.post(&format!("{seat}/resignation"), &json!({"confirm": true})).await.status, 204);
    }
    // After the end the computer says what it would have done.
    let ann = server.browser();
    ann.get(&format!("/s/{}", player.token)).await;
    assert_eq!(ann.post(&format!("{seat}/results"), &[("turn", "2"), ("first", "1")]).await.status, 303);
    let day = ann.get(&format!("{seat}/days/2")).await;
    let hint = Form::with(&day, "What would the computer").press(&ann, "What would the computer").await;
    assert!(hint.words().contains("What the computer would have written for Red"), "{}", hint.words());
    let record = player.get(&format!("{seat}/record")).await.json();
    assert_eq!(record["computers"]["blue"], json!({"level": "easy", "from_turn": 0}));
    server.stop().await;
}

/// By the API alone; and between two people there is no hint, by page and program alike.
#[tokio::test]
async fn programs_play_the_computer_and_get_no_hints_between_people() {
    let server = Server::start(5).await;
    let open = json!({"opponent": {"computer": "hard"}, "side": "blue", "name": "Ann"});
    let opened = server.program("").post("/games", &open).await;
    assert_eq!(opened.status, 201, "{}", opened.body);
    let opened = opened.json();
    assert_eq!((&opened["invitation_token"], &opened["invitation_url"]), (&Value::Null, &Value::Null));
    let seat = format!("/games/{}/blue", opened["game"].as_str().unwrap());
    let ann = server.program(opened["token"].as_str().unwrap());
    let game = ann.get(&seat).await.json();
    assert_eq!(game["names"], json!({"red": "Computer (hard)", "blue": "Ann"}));
    assert_eq!(plays(&ann, &seat, 2).await["turn"], 2);
    for (member, value) in
        [("public", json!(true)), ("challenge_days", json!(3)), ("opponent", json!({"computer": "perfect"}))]
    {
        let mut refused = open.clone();
        refused[member] = value;
        let refused = server.program("").post("/games", &refused).await;
        assert!(refused.status.is_client_error(), "{member}: {}", refused.body);
    }

    let game = Game::deployed(&server).await;
    let seat = format!("/games/{}/red", game.id);
    let refused = server.program(&game.red).post(&format!("{seat}/hint"), &json!({"turn": 1})).await;
    assert_eq!((refused.status.as_u16(), refused.json()["type"].as_str()), (409, Some("/api/v1/problems/no_hint")));
    let browser = server.browser();
    browser.get(&format!("/s/{}", game.red)).await;
    assert!(!browser.get(&seat).await.body.contains("id=\"hint\""));
    let refused = browser.post(&format!("{seat}/table"), &[("turn", "1"), ("text", "G8-F8"), ("set", "hint")]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.words().contains("not while two people play each other"), "{}", refused.words());
    assert!(refused.body.contains("G8-F8"), "what was written is kept on the page");
    server.stop().await;
}
