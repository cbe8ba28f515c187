//! The organiser's desk as `play` knows it: tokens, every act and every refusal, on both databases.

use std::collections::BTreeSet;

use fieldcommand::bot::Level;
use fieldcommand::clock::Timestamp;
use fieldcommand::pace::Pace;
use fieldcommand::play::admin::block::PAGE;
use fieldcommand::play::admin::games::{DeskFilter, DeskOrder, DeskState, PAGE_MAX};
use fieldcommand::play::admin::letters::LetterState;
use fieldcommand::play::admin::open::{GameForTwo, Invited};
use fieldcommand::play::admin::{Act, Acted, Admin, Cause, NewToken, Scope};
use fieldcommand::play::agree::{OfferAct, OfferKind, ToAgree};
use fieldcommand::play::sending::Fate;
use fieldcommand::play::terms::Terms;
use fieldcommand::play::view::SeatView;
use fieldcommand::play::webhooks::{EventKind, NewWebhook, Reach};
use fieldcommand::play::{GameId, Play, PlayError, Secret};
use fieldcommand::rules::{BySide, Outcome, Side};

use crate::world::mailbox::{confirm_all, letters, mailed_link};
use crate::world::{Table, World, new_game};

const HOUR: i64 = 3_600_000;
/// Three days for each turn.
const PACE: Pace = Pace::Span { hours: 72, first_hours: 72 };

fn new_token(scope: Scope) -> NewToken {
    NewToken { name: "Olga".into(), scope, days: None, person: String::new() }
}

/// Why something is done.
fn because(reason: &str) -> Cause {
    Cause { reason: reason.into(), note: "for organisers alone".into(), ..Cause::default() }
}

impl World {
    /// An organiser with a token of a scope.
    async fn organiser(&self, scope: Scope) -> Admin {
        let (_, secret) = self.play.make_token(new_token(scope)).await.unwrap();
        self.play.admin(&secret).await.unwrap()
    }

    /// A game with deadlines and a confirmed address on each seat.
    async fn mailed_table(&self) -> Table {
        let new = fieldcommand::play::open::NewGame { pace: PACE, ..new_game(12, "ann@example.org") };
        self.seated(new, "ben@example.org").await
    }

    async fn acts(&self, admin: &Admin, act: Act) -> Result<Acted, PlayError> {
        self.play.act(admin, because("because"), act).await
    }
}

fn id(table: &Table) -> GameId {
    table.red.seat.game().clone()
}

/// What the organiser did last, as both players see it.
async fn shown(table: &Table) -> (String, String) {
    let [red, blue] = [table.red.sees().await, table.blue.sees().await];
    assert_eq!(red.organiser.acts, blue.organiser.acts);
    let last = red.organiser.acts.last().unwrap();
    (last.act.clone(), last.reason.clone())
}

fn due(view: &SeatView) -> i64 {
    view.due.unwrap().0
}

#[tokio::test]
async fn a_token_opens_the_desk_until_it_ends_or_is_revoked() {
    for world in World::both().await {
        let (line, secret) = world.play.make_token(NewToken { days: Some(2), ..new_token(Scope::Act) }).await.unwrap();
        assert!(secret.reveal().starts_with("fca_") && secret.reveal().len() == 36, "{}", secret.reveal());
        assert_eq!(world.count(&format!("admin_tokens where hash = '{}'", secret.reveal())).await, 0);
        let admin = world.play.admin(&secret).await.unwrap();
        assert_eq!((admin.name.as_str(), admin.scope), ("Olga", Scope::Act));
        let used = world.play.tokens().await.unwrap()[0].used_at;
        assert_eq!(used, Some(world.now()));
        world.wait(30);
        world.play.admin(&secret).await.unwrap();
        assert_eq!(world.play.tokens().await.unwrap()[0].used_at, used, "not written so soon again");
        world.wait(31);
        world.play.admin(&secret).await.unwrap();
        assert_eq!(world.play.tokens().await.unwrap()[0].used_at, Some(world.now()));
        for wrong in ["", "fca_", "fca_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", &secret.reveal()[4..]] {
            assert_eq!(world.play.admin(&Secret::sent(wrong)).await, Err(PlayError::NoToken), "{wrong}");
        }
        world.wait(2 * 86_400);
        assert_eq!(world.play.admin(&secret).await, Err(PlayError::NoToken), "it has ended");
        let act = Act::Cancel { game: GameId::parse("0123456789ab").unwrap() };
        assert_eq!(world.acts(&admin, act).await.unwrap_err(), PlayError::NoToken);

        let (other, secret) = world.play.make_token(new_token(Scope::Owner)).await.unwrap();
        let owner = world.play.admin(&secret).await.unwrap();
        let made = world.acts(&owner, Act::MakeToken(new_token(Scope::Read))).await.unwrap();
        let reader = world.play.admin(&made.secret.unwrap()).await.unwrap();
        let revoke = Act::RevokeToken { token: line.id.clone() };
        assert_eq!(world.acts(&reader, revoke.clone()).await.unwrap_err(), PlayError::Scope("owner"));
        world.acts(&owner, revoke.clone()).await.unwrap();
        assert_eq!(world.acts(&owner, revoke).await.unwrap_err(), PlayError::NotFound);
        world.play.revoke_token(&other.id).await.unwrap();
        assert_eq!(world.play.admin(&secret).await, Err(PlayError::NoToken), "it was revoked");

        let words: Vec<_> = world.play.admin_acts(&reader, None, None).await.unwrap().acts;
        // What is done in one millisecond stands in any order.
        let mut words: Vec<_> = words.iter().map(|act| (act.act.as_str(), act.who.as_str())).collect();
        words.sort_unstable();
        let by_hand = "command line";
        let made = [("token_made", "Olga"), ("token_made", by_hand), ("token_made", by_hand)];
        assert_eq!(
            (&words[..3], &words[3..]),
            (&made[..], &[("token_revoked", "Olga"), ("token_revoked", by_hand)][..])
        );
        for new in [
            NewToken { name: String::new(), ..new_token(Scope::Read) },
            NewToken { days: Some(0), ..new_token(Scope::Read) },
            NewToken { person: "nobody@example.org".into(), ..new_token(Scope::Read) },
        ] {
            assert!(matches!(world.play.make_token(new).await, Err(PlayError::Field { .. })));
        }
        world.end().await;
    }
}

#[tokio::test]
async fn an_act_is_done_once_for_a_reason_and_to_the_game_that_was_seen() {
    for world in World::both().await {
        let (table, admin) = (world.mailed_table().await, world.organiser(Scope::Act).await);
        let game = id(&table);
        let version = world.play.desk_game(&admin, &game).await.unwrap().version;
        let act = Act::Pause { game: game.clone(), until: Timestamp(world.now().0 + 100 * HOUR) };
        let no_reason = world.play.act(&admin, because(" \n"), act.clone()).await;
        assert!(matches!(no_reason, Err(PlayError::Field { field: "reason", .. })));
        let reader = world.organiser(Scope::Read).await;
        assert_eq!(world.acts(&reader, act.clone()).await.unwrap_err(), PlayError::Scope("act"));
        let seen = |version| Cause { version: Some(version), key: Some("one".into()), ..because("holidays") };
        assert_eq!(world.play.act(&admin, seen(version - 1), act.clone()).await.unwrap_err(), PlayError::Stale);
        let first = world.play.act(&admin, seen(version), act.clone()).await.unwrap();
        let again = world.play.act(&admin, seen(version), act.clone()).await.unwrap();
        assert_eq!(first.act, again.act, "the same key gives the same answer");
        let other = Act::Resume { game: game.clone() };
        assert_eq!(world.play.act(&admin, seen(version), other).await.unwrap_err(), PlayError::KeyReused);
        let another = Cause { reason: "another".into(), ..seen(version) };
        assert_eq!(world.play.act(&admin, another, act.clone()).await.unwrap_err(), PlayError::KeyReused);
        assert_eq!(world.play.desk_game(&admin, &game).await.unwrap().acts.len(), 1);
        assert_eq!(shown(&table).await, ("paused".into(), "holidays".into()));
        // Both are told by letter, why and until when; nobody reads the note.
        let told = letters(&world.play, world.path()).await;
        assert_eq!(told.len(), 2);
        for letter in &told {
            assert!(letter.contains("has paused the game") && letter.contains("holidays"), "{letter}");
            assert!(!letter.contains("for organisers alone"));
        }
        let nobody = GameId::parse("0123456789ab").unwrap();
        assert_eq!(world.acts(&admin, Act::Cancel { game: nobody }).await.unwrap_err(), PlayError::NotFound);
        // Two at the same moment: one does it, the other is told the same.
        let act = Act::Resume { game };
        let cause = Cause { key: Some("two".into()), ..because("back") };
        let (one, two) = tokio::join!(
            world.play.act(&admin, cause.clone(), act.clone()),
            world.play.act(&admin, cause.clone(), act.clone())
        );
        assert_eq!(one.unwrap().act, two.unwrap().act);
        world.end().await;
    }
}

#[tokio::test]
async fn deadlines_are_moved_games_paused_and_let_go_on() {
    for world in World::both().await {
        let (table, admin) = (world.mailed_table().await, world.organiser(Scope::Act).await);
        let (game, now) = (id(&table), world.now().0);
        let moved = |hours: i64| Act::Deadline { game: id(&table), due: Timestamp(now + hours * HOUR) };
        for wrong in [-1, 0, 24 * 400] {
            let refused = world.acts(&admin, moved(wrong)).await.unwrap_err();
            assert!(matches!(refused, PlayError::Field { field: "due_at", .. }), "{refused}");
        }
        world.acts(&admin, moved(100)).await.unwrap();
        assert_eq!(due(&table.red.sees().await), now + 100 * HOUR);
        assert_eq!(shown(&table).await.0, "deadline_moved");

        let pause = |hours: i64| Act::Pause { game: id(&table), until: Timestamp(now + hours * HOUR) };
        world.acts(&admin, pause(200)).await.unwrap();
        let view = table.blue.sees().await;
        assert_eq!((due(&view), view.time.paused_until), (now + 300 * HOUR, Some(Timestamp(now + 200 * HOUR))));
        assert!(matches!(world.acts(&admin, pause(300)).await, Err(PlayError::Field { field: "until", .. })));
        assert!(matches!(world.acts(&admin, moved(150)).await, Err(PlayError::Field { field: "due_at", .. })));
        world.wait(10 * 3600);
        world.acts(&admin, Act::Resume { game: game.clone() }).await.unwrap();
        let view = table.blue.sees().await;
        assert_eq!((due(&view), view.time.paused_until), (now + 110 * HOUR, None));
        assert!(world.acts(&admin, Act::Resume { game }).await.is_err());

        // A game without deadlines has none to be moved.
        let still = world.table().await;
        let act = Act::Deadline { game: id(&still), due: Timestamp(now + 50 * HOUR) };
        assert_eq!(world.acts(&admin, act).await.unwrap_err(), PlayError::NoDeadlines);
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_is_cancelled_or_its_result_declared() {
    for world in World::both().await {
        let admin = world.organiser(Scope::Act).await;
        let [one, two] = [world.mailed_table().await, world.mailed_table().await];
        one.deploy().await;
        one.red.submits("H7-F7").await.unwrap();
        letters(&world.play, world.path()).await;
        let declare = Act::Declare { game: id(&one), outcome: Outcome::BlueWins };
        world.acts(&admin, declare.clone()).await.unwrap();
        let ended = one.red.sees().await.ended.unwrap();
        assert_eq!(
            (ended.outcome, ended.how.as_str()),
            (Some(Outcome::BlueWins), "The organiser has declared the result: Blue wins.")
        );
        assert_eq!(world.count("sheets").await, 0, "what lay sealed was dropped");
        let told = letters(&world.play, world.path()).await;
        assert!(told.len() == 2 && told.iter().all(|letter| letter.contains("Blue wins")), "{told:?}");
        for act in [
            declare,
            Act::Cancel { game: id(&one) },
            Act::Deadline { game: id(&one), due: Timestamp(world.now().0 + HOUR) },
            Act::Pause { game: id(&one), until: Timestamp(world.now().0 + HOUR) },
            Act::Resume { game: id(&one) },
            Act::Reissue { game: id(&one), side: Side::Red, address: String::new() },
            Act::Replace { game: id(&one), side: Side::Red, address: "new@example.org".into() },
        ] {
            assert_eq!(world.acts(&admin, act).await.unwrap_err(), PlayError::GameOver);
        }
        world.acts(&admin, Act::Cancel { game: id(&two) }).await.unwrap();
        let ended = two.blue.sees().await.ended.unwrap();
        assert_eq!((ended.outcome, ended.how.as_str()), (None, "The organiser has cancelled the game."));
        // The records of both hold.
        for table in [&one, &two] {
            let checked = fieldcommand::play::proof::check_kept(&world.store, id(table).as_str()).await.unwrap();
            assert!(checked.wrong.is_empty(), "{:?}", checked.wrong);
        }
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_is_opened_for_two_people_who_find_their_way_by_mail() {
    for world in World::both().await {
        let admin = world.organiser(Scope::Act).await;
        // Ben is known here, Cleo is not.
        world.table_with(12, ["", "ben@example.org"]).await;
        let player = |name: &str, address: &str| Invited { name: name.into(), address: address.into() };
        let new = |red, blue| {
            let setup = new_game(12, "").setup;
            let players = BySide { red, blue };
            Act::Open(Box::new(GameForTwo { setup, players, pace: PACE, terms: Terms::default(), public: true }))
        };
        let [cleo, ben] = [player("Cleo", "cleo@example.org"), player("Ben", "BEN@example.org")];
        for (act, field) in [
            (new(cleo.clone(), player("Ben", "")), "blue.address"),
            (new(cleo.clone(), player("Ben", "Cleo@example.org")), "blue.address"),
            (new(player("Computer (hard)", "a@b.c"), ben.clone()), "red.name"),
        ] {
            let refused = world.acts(&admin, act).await.unwrap_err();
            assert!(matches!(refused, PlayError::Field { field: named, .. } if named == field), "{refused}");
        }
        let opened = world.acts(&admin, new(cleo, ben)).await.unwrap();
        let game = opened.act.game.clone().unwrap();
        assert_eq!(opened.act.act, "game_opened");
        let told = letters(&world.play, world.path()).await;
        assert_eq!(told.len(), 2);
        for letter in &told {
            assert!(letter.contains("The way to your seat") || letter.contains("the way to your seat"), "{letter}");
            let link = mailed_link(letter).unwrap();
            let followed = world.play.follow_in_browser(&link, None).await.unwrap();
            let (of, side) = followed.link.seat.clone().unwrap();
            assert_eq!(of, game);
            let session = followed.session.unwrap();
            let seat = world.play.seat_of_session(&session, &game, side).await.unwrap();
            let view = world.play.view(&seat).await.unwrap();
            assert!(view.address.is_some() && view.due.is_some(), "the time runs");
            assert_eq!(world.play.follow(&link).await.unwrap_err(), PlayError::LinkOver, "it works once");
        }
        let desk = world.play.desk_game(&admin, &game).await.unwrap();
        assert!(desk.public && desk.seats.red.person.is_some() && desk.seats.blue.person.is_some());
        assert_eq!(desk.line.names.red.as_deref(), Some("Cleo"));
        world.end().await;
    }
}

#[tokio::test]
async fn a_seat_gets_a_new_link_and_nothing_of_what_lay_there_is_left() {
    for world in World::both().await {
        let (table, admin) = (world.mailed_table().await, world.organiser(Scope::Act).await);
        let game = id(&table);
        table.deploy().await;
        table.red.submits("H7-F7").await.unwrap();
        letters(&world.play, world.path()).await;
        let old = table.red.sees().await.link;
        let session = world.play.remember(&table.red.seat, None).await.unwrap();
        let act = |address: &str| Act::Reissue { game: id(&table), side: Side::Red, address: address.into() };
        assert!(matches!(world.acts(&admin, act("x@y.z")).await, Err(PlayError::Field { field: "address", .. })));
        world.acts(&admin, act("")).await.unwrap();
        assert_eq!(world.play.seat_of_link(&old).await, Err(PlayError::NotFound));
        assert_eq!(world.play.seat_of_session(&session, &game, Side::Red).await, Err(PlayError::NotFound));
        assert_eq!(world.count("sheets").await, 0);
        let told = letters(&world.play, world.path()).await;
        let link = told.iter().find_map(|letter| mailed_link(letter)).unwrap();
        assert_eq!(told.len(), 3, "the way to the seat, and a letter for each");
        let followed = world.play.follow_in_browser(&link, None).await.unwrap();
        let seat = world.play.seat_of_session(&followed.session.unwrap(), &game, Side::Red).await.unwrap();
        assert_eq!(world.play.view(&seat).await.unwrap().own, None);
        assert_eq!(table.blue.sees().await.organiser.acts.last().unwrap().act, "seat_reissued");
        world.end().await;
    }
}

#[tokio::test]
async fn without_a_confirmed_address_the_opponent_has_to_agree_to_a_new_link() {
    for world in World::both().await {
        let (table, admin) = (world.table_on(PACE, Terms::default()).await, world.organiser(Scope::Act).await);
        let game = id(&table);
        let act = |address: &str| Act::Reissue { game: id(&table), side: Side::Blue, address: address.into() };
        assert!(matches!(world.acts(&admin, act("")).await, Err(PlayError::Field { field: "address", .. })));
        assert!(matches!(world.play.answer_reissue(&table.red.seat, true).await, Err(PlayError::Offer(_))));
        world.acts(&admin, act("ben@example.org")).await.unwrap();
        assert!(letters(&world.play, world.path()).await.is_empty(), "nothing leaves before Red agrees");
        assert_eq!(table.red.sees().await.organiser.asks.as_deref(), Some("because"));
        assert_eq!(table.blue.sees().await.organiser.asks, None);
        assert!(matches!(world.play.answer_reissue(&table.blue.seat, true).await, Err(PlayError::Offer(_))));
        world.play.answer_reissue(&table.red.seat, false).await.unwrap();
        assert_eq!(shown(&table).await.0, "reissue_declined");
        table.blue.deploys("balanced").await.unwrap();

        world.acts(&admin, act("ben@example.org")).await.unwrap();
        world.play.answer_reissue(&table.red.seat, true).await.unwrap();
        assert_eq!(world.play.view(&table.blue.seat).await.unwrap().own, None, "the old sheet is gone");
        assert_eq!(table.blue.submits_for(0, "x").await.unwrap_err(), PlayError::NotFound, "the old link is out");
        let told = letters(&world.play, world.path()).await;
        let link = told.iter().find_map(|letter| mailed_link(letter)).unwrap();
        let followed = world.play.follow_in_browser(&link, None).await.unwrap();
        let seat = world.play.seat_of_session(&followed.session.unwrap(), &game, Side::Blue).await.unwrap();
        assert_eq!(world.play.view(&seat).await.unwrap().address.as_deref(), Some("ben@example.org"));
        let last = world.play.desk_game(&admin, &game).await.unwrap().acts.pop().unwrap();
        assert_eq!((last.who.as_str(), last.act.as_str(), last.reason.as_str()), ("Red", "seat_reissued", "because"));
        world.end().await;
    }
}

#[tokio::test]
async fn a_seat_is_given_to_somebody_else_by_letter() {
    for world in World::both().await {
        let (table, admin) = (world.mailed_table().await, world.organiser(Scope::Act).await);
        let game = id(&table);
        table.deploy().await;
        table.blue.submits("E4-G4").await.unwrap();
        letters(&world.play, world.path()).await;
        let act = Act::Replace { game: game.clone(), side: Side::Blue, address: "dora@example.org".into() };
        world.acts(&admin, act).await.unwrap();
        assert_eq!(world.play.version(&table.blue.seat).await, Err(PlayError::NotFound));
        // Nobody has stayed away, and nobody sits at both ends of nothing.
        assert_eq!(world.play.claim(&table.red.seat).await, Err(PlayError::NoClaim));
        assert_eq!(world.play.let_computer_finish(&table.red.seat, Level::Easy).await, Err(PlayError::NoClaim));
        let other = Act::Replace { game: game.clone(), side: Side::Red, address: "carl@example.org".into() };
        assert!(matches!(world.acts(&admin, other).await, Err(PlayError::Field { field: "side", .. })));
        let told = letters(&world.play, world.path()).await;
        let invitations: Vec<_> = told.iter().filter(|letter| letter.contains("/i/")).collect();
        let [invitation] = invitations[..] else { panic!("{told:?}") };
        assert!(invitation.contains("The organiser of the server invites you"), "{invitation}");
        assert!(told.iter().any(|letter| letter.contains("was given up")), "Ben is told");
        assert!(told.iter().any(|letter| letter.contains("to somebody else") && letter.contains("because")), "Ann is");
        let secret = Secret::sent(&invitation.split_once("/i/").unwrap().1[..26]);
        let taken = world.play.take_seat(&secret, "Dora").await.unwrap();
        let seat = world.play.seat_of_link(&taken.link).await.unwrap();
        let view = world.play.view(&seat).await.unwrap();
        assert_eq!((view.own.is_none(), view.names.blue.as_deref()), (true, Some("Dora")));
        assert!(view.due.is_some(), "a whole span runs");

        let waiting = world.mailed_table().await;
        waiting.deploy().await;
        let act = Act::Replace { game: id(&waiting), side: Side::Blue, address: "dora@example.org".into() };
        world.acts(&admin, act).await.unwrap();
        world.wait(14 * 86_400 - 1);
        assert_eq!(world.play.claim(&waiting.red.seat).await, Err(PlayError::NoClaim));
        world.wait(1);
        world.play.claim(&waiting.red.seat).await.unwrap();
        world.end().await;
    }
}

/// A secret whose answer was lost is shown to the same request again, whatever the URL leads to by then; a whole URL is read
/// by owners alone.
#[tokio::test]
async fn the_desks_webhooks_give_up_no_secrets_and_lose_none() {
    for world in World::both().await {
        let play = world.play.clone().reaching(Reach::Private);
        let (owner, lookout) = (world.organiser(Scope::Owner).await, world.organiser(Scope::Read).await);
        let url = "http://127.0.0.1:9/hook?token=abc";
        let acts = async |play: &Play, key: &str, act: &Act| {
            let cause = Cause { key: Some(key.into()), ..because("because") };
            let acted = play.act(&owner, cause, act.clone()).await.unwrap();
            (acted.repeated, acted.secret.map(|secret| secret.reveal().to_owned()))
        };
        let add = Act::AddWebhook(NewWebhook { url: url.into(), kinds: Vec::new() });
        let (repeated, first) = acts(&play, "one", &add).await;
        assert!(!repeated && first.is_some());
        // This one calls no private address, as if the name were not known any more.
        assert_eq!(acts(&world.play, "one", &add).await, (true, first.clone()));
        let hooks = play.desk_webhooks(&owner).await.unwrap();
        assert_eq!((hooks.len(), &*hooks[0].url), (1, url));
        let id = hooks[0].id.clone();
        assert_eq!(play.desk_webhooks(&lookout).await.unwrap()[0].url, "http://127.0.0.1:9/…");
        assert_eq!(play.desk_webhook(&lookout, &id).await.unwrap().0.url, "http://127.0.0.1:9/…");
        assert_eq!(play.desk_webhook(&owner, &id).await.unwrap().0.url, url);
        let renew = Act::RenewWebhook { webhook: id };
        let (repeated, second) = acts(&play, "two", &renew).await;
        assert!(!repeated && second.is_some() && second != first);
        assert_eq!(acts(&play, "two", &renew).await, (true, second.clone()));
        assert_eq!(acts(&play, "three", &renew).await, (false, second.clone()), "within a day");
        assert_eq!(acts(&play, "one", &add).await, (true, None), "it is another one by now");
        world.wait(25 * 3600);
        let (_, third) = acts(&play, "four", &renew).await;
        assert!(third.is_some() && third != second);
        assert_eq!(acts(&play, "two", &renew).await, (true, None));
        world.end().await;
    }
}

/// It stands on the desk among the others, holds up none of them, and can be cancelled.
#[tokio::test]
async fn a_game_that_cannot_be_read_is_seen_and_cancelled() {
    for world in World::both().await {
        let (table, other) = (world.mailed_table().await, world.mailed_table().await);
        let admin = world.organiser(Scope::Act).await;
        let new = NewWebhook { url: "http://127.0.0.1:9/".into(), kinds: vec![EventKind::GameOver] };
        world.play.clone().reaching(Reach::Private).add_webhook(&table.red.seat, new).await.unwrap();
        table.deploy().await;
        let draw = ToAgree { kind: OfferKind::Draw, turn: 1, act: OfferAct::Offer, from_turn: None };
        world.play.agree(&table.red.seat, draw).await.unwrap();
        world.spoil(id(&table).as_str()).await;
        let games = world.play.desk_games(&admin, DeskFilter::default()).await.unwrap().games;
        let broken: Vec<_> = games.iter().map(|line| (line.game.clone(), line.broken, line.stuck)).collect();
        assert_eq!(broken.len(), 2);
        assert!(broken.contains(&(id(&table), true, true)) && broken.contains(&(id(&other), false, false)));
        assert!(world.play.desk_line(&admin, &id(&table)).await.unwrap().names.red.is_some());
        let act = Act::Declare { game: id(&table), outcome: Outcome::Draw };
        assert!(matches!(world.acts(&admin, act).await, Err(PlayError::Broken(_))));
        let new = NewToken { person: "ann@example.org".into(), ..new_token(Scope::Act) };
        let (_, secret) = world.play.make_token(new).await.unwrap();
        let ann = world.play.admin(&secret).await.unwrap();
        assert_eq!(world.acts(&ann, Act::Cancel { game: id(&table) }).await.unwrap_err(), PlayError::OwnGame);
        let done = world.acts(&admin, Act::Cancel { game: id(&table) }).await.unwrap().act;
        assert_eq!((done.act.as_str(), done.game), ("cancelled", Some(id(&table))));
        assert_eq!(world.count("games where ended_at is not null and due_at is null").await, 1);
        assert_eq!(world.count("webhook_events where kind = 'game_over'").await, 1, "programs hear of it");
        assert_eq!(world.count("offers").await, 0);
        assert_eq!(world.acts(&admin, Act::Cancel { game: id(&table) }).await.unwrap_err(), PlayError::GameOver);
        world.end().await;
    }
}

#[tokio::test]
async fn an_organiser_who_plays_is_named_and_does_not_act_there() {
    for world in World::both().await {
        let table = world.mailed_table().await;
        let new = NewToken { person: "Ann@example.org".into(), ..new_token(Scope::Owner) };
        let (line, secret) = world.play.make_token(new).await.unwrap();
        let admin = world.play.admin(&secret).await.unwrap();
        assert!(line.person);
        assert_eq!(world.acts(&admin, Act::Cancel { game: id(&table) }).await.unwrap_err(), PlayError::OwnGame);
        assert_eq!(table.blue.sees().await.organiser.plays, BySide { red: true, blue: false });
        let elsewhere = world.table_at(PACE).await;
        world.acts(&admin, Act::Cancel { game: id(&elsewhere) }).await.unwrap();
        world.play.revoke_token(&line.id).await.unwrap();
        assert_eq!(table.blue.sees().await.organiser.plays, BySide { red: false, blue: false });
        world.end().await;
    }
}

#[tokio::test]
async fn a_letter_is_sent_again() {
    for world in World::both().await {
        let (table, admin) = (world.mailed_table().await, world.organiser(Scope::Act).await);
        table.deploy().await;
        for letter in world.play.claim_letters(9).await.unwrap() {
            world.play.letter_done(&letter, Fate::Failed("550 no such user".into())).await.unwrap();
        }
        let failed = world.play.desk_letters(&admin, LetterState::Failed, None).await.unwrap().letters;
        let reports: Vec<_> = failed.iter().filter(|letter| letter.game == Some(id(&table))).collect();
        assert_eq!((reports.len(), reports[0].fate.why()), (2, Some("550 no such user")));
        let act = Act::Resend { letter: reports[0].id.clone() };
        let done = world.acts(&admin, act).await.unwrap().act;
        assert_eq!((done.act.as_str(), done.game), ("letter_resent", Some(id(&table))));
        assert!(done.about.contains("was given up"), "{}", done.about);
        let waiting = world.play.desk_letters(&admin, LetterState::Waiting, None).await.unwrap().letters;
        assert_eq!(waiting.len(), 1);
        assert_eq!(letters(&world.play, world.path()).await.len(), 1);
        let unknown = Act::Resend { letter: "nobody's".into() };
        assert_eq!(world.acts(&admin, unknown).await.unwrap_err(), PlayError::NotFound);
        // Who wants no letters gets none, and whose seat it was before neither.
        world.play.stop_letters(&table.red.seat).await.unwrap();
        world.play.set_address(&table.blue.seat, "").await.unwrap();
        for letter in &failed {
            let refused = world.acts(&admin, Act::Resend { letter: letter.id.clone() }).await.unwrap_err();
            assert!(matches!(refused, PlayError::Field { field: "letter", .. }), "{refused}");
        }
        world.end().await;
    }
}

#[tokio::test]
async fn a_blocked_address_opens_nothing_and_gets_nothing() {
    for world in World::both().await {
        let (table, admin) = (world.mailed_table().await, world.organiser(Scope::Act).await);
        let block = |person: &str, address: &str| Act::Block { person: person.into(), address: address.into() };
        assert!(matches!(world.acts(&admin, block("", "")).await, Err(PlayError::Field { field: "address", .. })));
        let desk = world.play.desk_game(&admin, &id(&table)).await.unwrap();
        let ann = desk.seats.red.person.unwrap();
        let blocked = world.acts(&admin, block(&ann, "")).await.unwrap().act;
        assert!(!format!("{blocked:?}").contains("ann@"), "the log names no address");
        assert!(world.acts(&admin, block("", "ANN@example.org")).await.is_err(), "it is blocked already");
        let (person, seats) = world.play.desk_person(&admin, &ann).await.unwrap();
        assert!(person.blocked.is_some() && seats.len() == 1);
        letters(&world.play, world.path()).await;
        world.play.ask_sign_in("ann@example.org").await.unwrap();
        assert!(letters(&world.play, world.path()).await.is_empty(), "no link to sign in");
        assert!(matches!(
            world.play.open(new_game(12, "ann@example.org")).await,
            Err(PlayError::Field { field: "address", .. })
        ));
        assert!(world.play.set_address(&table.blue.seat, "ann@example.org").await.is_err());
        // What is on its way goes on.
        table.deploy().await;
        // What was mailed before opens nothing either.
        world.play.set_address(&table.blue.seat, "carl@example.org").await.unwrap();
        let asked = letters(&world.play, world.path()).await;
        let asked = asked.iter().find(|letter| letter.contains("/m/")).unwrap();
        world.acts(&admin, block("", "carl@example.org")).await.unwrap();
        assert_eq!(world.play.follow(&mailed_link(asked).unwrap()).await.unwrap_err(), PlayError::LinkOver);
        let id = person.blocked.unwrap().0;
        world.acts(&admin, Act::Unblock { block: id.clone() }).await.unwrap();
        assert_eq!(world.acts(&admin, Act::Unblock { block: id }).await.unwrap_err(), PlayError::NotFound);
        world.play.open(new_game(12, "ann@example.org")).await.unwrap();
        world.end().await;
    }
}

#[tokio::test]
async fn blocks_are_listed_with_who_set_them_and_a_blocked_address_of_nobody_is_found() {
    for world in World::both().await {
        let admin = world.organiser(Scope::Act).await;
        assert!(world.play.desk_blocks(&admin, None).await.unwrap().blocks.is_empty());
        let number = PAGE + 2;
        for number in 0..number {
            let cause = Cause { reason: format!("Reason {number}."), ..Cause::default() };
            let block = Act::Block { person: String::new(), address: format!("m{number}@example.org") };
            world.play.act(&admin, cause, block).await.unwrap();
        }
        let first = world.play.desk_blocks(&admin, None).await.unwrap();
        assert_eq!(first.blocks.len(), PAGE);
        let second = world.play.desk_blocks(&admin, first.next.clone()).await.unwrap();
        assert!(second.blocks.len() == 2 && second.next.is_none());
        for (block, number) in first.blocks.iter().chain(&second.blocks).zip((0..number).rev()) {
            let act = block.act.as_ref().unwrap();
            assert_eq!((&*act.who, act.reason.clone()), ("Olga", format!("Reason {number}.")));
        }
        let shown = format!("{first:?}{second:?}");
        assert!(!shown.contains('@'), "{shown}");

        let found = world.play.desk_person_by_address(&admin, " M0@example.org ").await.unwrap();
        let (id, _) = found.blocked.unwrap();
        assert_eq!((found.people.len(), &id), (0, &second.blocks[1].id));
        world.acts(&admin, Act::Unblock { block: id }).await.unwrap();
        let found = world.play.desk_person_by_address(&admin, "m0@example.org").await.unwrap();
        assert!(found.people.is_empty() && found.blocked.is_none());
        assert_eq!(world.play.desk_blocks(&admin, first.next).await.unwrap().blocks.len(), 1);
        world.end().await;
    }
}

/// More deadlines than a list holds: those that are late do not hide what comes, and all of them are found a page at a time.
#[tokio::test]
async fn many_late_deadlines_hide_none_that_comes() {
    let world = World::sqlite().await;
    let admin = world.organiser(Scope::Read).await;
    let number = PAGE_MAX + 5;
    for _ in 0..number {
        world.table_at(PACE).await;
    }
    world.wait(3600);
    world.fall_due(Timestamp(world.now().0 - 1000)).await;
    let coming = world.table_at(PACE).await;
    let deadlines = world.play.desk_deadlines(&admin, 73).await.unwrap();
    assert_eq!(deadlines.late.len(), PAGE_MAX);
    assert_eq!(deadlines.soon.iter().map(|line| line.game.clone()).collect::<Vec<_>>(), [id(&coming)]);
    let due = |after| DeskFilter { order: DeskOrder::Due, limit: PAGE_MAX, after, ..DeskFilter::default() };
    let first = world.play.desk_games(&admin, due(None)).await.unwrap();
    let second = world.play.desk_games(&admin, due(first.next.clone())).await.unwrap();
    assert!(first.next.is_some() && second.next.is_none());
    let all: BTreeSet<String> = first.games.iter().chain(&second.games).map(|line| line.game.to_string()).collect();
    assert_eq!((first.games.len(), all.len()), (PAGE_MAX, number + 1), "each once");
    assert_eq!(second.games.last().unwrap().game, id(&coming), "the last one due is the last");
    world.end().await;
}

#[tokio::test]
async fn games_are_found_by_state_name_and_deadline_a_page_at_a_time() {
    for world in World::both().await {
        let admin = world.organiser(Scope::Read).await;
        let mut tables = Vec::new();
        for _ in 0..3 {
            tables.push(world.table_at(PACE).await);
            world.wait(3600);
        }
        let open = world.play.open(new_game(12, "")).await.unwrap();
        tables[1].deploy().await;
        world.play.resign(&tables[0].red.seat).await.unwrap();
        let find = async |filter: DeskFilter| {
            let page = world.play.desk_games(&admin, filter).await.unwrap();
            (page.games.into_iter().map(|line| line.game).collect::<Vec<_>>(), page.next)
        };
        let ids: Vec<_> = tables.iter().map(id).collect();
        let of = async |state| find(DeskFilter { state, ..DeskFilter::default() }).await.0;
        assert_eq!(of(DeskState::Any).await, [&open.game, &ids[2], &ids[1], &ids[0]].map(Clone::clone));
        assert_eq!(of(DeskState::Open).await, std::slice::from_ref(&open.game));
        assert_eq!(of(DeskState::Running).await, [ids[2].clone(), ids[1].clone()]);
        assert_eq!(of(DeskState::Ended).await, [ids[0].clone()]);
        assert!(of(DeskState::Stuck).await.is_empty() && of(DeskState::Paused).await.is_empty());
        let by_due = DeskFilter { order: DeskOrder::Due, ..DeskFilter::default() };
        assert_eq!(find(by_due.clone()).await.0, [ids[2].clone(), ids[1].clone()]);
        let (first, next) = find(DeskFilter { limit: 1, ..by_due.clone() }).await;
        assert_eq!(first, [ids[2].clone()]);
        let (second, end) = find(DeskFilter { limit: 1, after: next, ..by_due }).await;
        assert_eq!((second, end), (vec![ids[1].clone()], None));
        let named = DeskFilter { player: "BEN".into(), ..DeskFilter::default() };
        assert_eq!(find(named).await.0.len(), 3);
        let nobody = DeskFilter { player: "nobody".into(), ..DeskFilter::default() };
        assert!(find(nobody).await.0.is_empty());

        assert!(world.play.desk_deadlines(&admin, 1).await.unwrap().soon.is_empty());
        assert_eq!(world.play.desk_deadlines(&admin, 90).await.unwrap().soon.len(), 2);
        world.wait(80 * 3600);
        assert_eq!(world.play.desk_deadlines(&admin, 1).await.unwrap().late.len(), 2);
        assert_eq!(of(DeskState::Stuck).await.len(), 2, "they are late");
        let counts = world.play.desk_counts(&admin, 30).await.unwrap();
        assert_eq!((counts.open, counts.running, counts.ended, counts.late, counts.turns), (1, 2, 1, 2, 1));
        world.end().await;
    }
}

#[tokio::test]
async fn people_are_found_by_address_and_by_name() {
    let world = World::sqlite().await;
    let admin = world.organiser(Scope::Read).await;
    world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
    confirm_all(&world.play, world.path()).await;
    let found = world.play.desk_person_by_address(&admin, " ANN@example.org").await.unwrap().people;
    assert_eq!(found[0].address, "ann@example.org");
    assert!(world.play.desk_person_by_address(&admin, "x@y.z").await.unwrap().people.is_empty());
    assert!(world.play.desk_people(&admin, "Ann", None).await.unwrap().people.is_empty(), "she gave no name for games");
    assert!(matches!(world.play.desk_people(&admin, "%", None).await, Err(PlayError::Field { field: "name", .. })));
    assert_eq!(world.play.desk_person(&admin, "nobody").await.unwrap_err(), PlayError::NotFound);
    world.end().await;
}

#[tokio::test]
async fn words_stand_above_the_pages_until_they_end_or_are_withdrawn() {
    for world in World::both().await {
        let admin = world.organiser(Scope::Act).await;
        let act = |text: &str, hours: i64| Act::Announce {
            text: text.into(),
            until: Timestamp(world.now().0 + hours * HOUR),
        };
        assert!(world.acts(&admin, act("", 1)).await.is_err());
        assert!(world.acts(&admin, act("late", 0)).await.is_err());
        world.acts(&admin, act("The server rests on Sunday.", 1)).await.unwrap();
        world.acts(&admin, act("And on Monday.", 48)).await.unwrap();
        let up = world.play.announcements().await.unwrap();
        assert_eq!(
            up.iter().map(|words| &*words.text).collect::<Vec<_>>(),
            ["The server rests on Sunday.", "And on Monday."]
        );
        world.wait(3600);
        let up = world.play.announcements().await.unwrap();
        assert_eq!(up.len(), 1);
        world.acts(&admin, Act::Withdraw { announcement: up[0].id.clone() }).await.unwrap();
        assert!(world.play.announcements().await.unwrap().is_empty());
        world.end().await;
    }
}
