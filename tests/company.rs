//! Games in company: spectators and lists of public games, open challenges, rematches, letters of invitation, messages.

use fieldcommand::play::messages::{LONGEST, ToSend};
use fieldcommand::play::open::{Company, NewGame};
use fieldcommand::play::public::{PAGE, PublicFilter};
use fieldcommand::play::rematch::Again;
use fieldcommand::play::{GameId, PlayError, Secret};
use fieldcommand::rules::{Outcome, Side};

use crate::world::game::Game;
use crate::world::mailbox::{confirm_all, letters};
use crate::world::server::Server;
use crate::world::{Player, Table, World, new_game};

impl World {
    /// A public game that Ann has opened as Red and somebody has joined.
    async fn public_table(&self, name_of_blue: &str) -> Table {
        let opened = self
            .play
            .open(NewGame { company: Company { public: true, ..Company::default() }, ..new_game(12, "") })
            .await
            .unwrap();
        let taken = self.play.take_seat(&opened.invitation, name_of_blue).await.unwrap();
        let red = self.play.seat_of_link(&opened.link).await.unwrap();
        let blue = self.play.seat_of_link(&taken.link).await.unwrap();
        Table { play: self.play.clone(), red: Player::new(&self.play, red), blue: Player::new(&self.play, blue) }
    }

    /// The games that a search finds, newest first.
    async fn finds(&self, filter: PublicFilter) -> Vec<String> {
        let page = self.play.public_games(filter).await.unwrap();
        page.games.into_iter().map(|line| line.game.to_string()).collect()
    }
}

#[tokio::test]
async fn a_public_game_is_open_to_everybody_and_a_private_one_is_not_there() {
    for world in World::both().await {
        let (private, public) = (world.table().await, world.public_table("Ben").await);
        for table in [&private, &public] {
            table.deploy().await;
        }
        let id = private.red.seat.game();
        assert_eq!(world.play.spectacle(id).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(world.play.public_turn(id, 0).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(world.play.public_turns(id).await.unwrap_err(), PlayError::NotFound);

        let id = public.red.seat.game();
        let seen = world.play.spectacle(id).await.unwrap();
        assert_eq!((seen.names.blue.as_deref(), seen.resolved.as_slice(), seen.seated), (Some("Ben"), &[0][..], true));
        // What is sealed changes nothing of it.
        public.red.submits("H7-F7").await.unwrap();
        let after = world.play.spectacle(id).await.unwrap();
        assert_eq!(format!("{seen:?}"), format!("{after:?}"));
        public.blue.submits("").await.unwrap();
        assert_eq!(world.play.public_turn(id, 1).await.unwrap().sheets.red.text, "H7-F7");
        assert_eq!(world.play.public_turn(id, 2).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(world.play.public_turns(id).await.unwrap().len(), 2);
        world.end().await;
    }
}

#[tokio::test]
async fn public_games_are_found_by_player_board_and_outcome_a_page_at_a_time() {
    for world in World::both().await {
        world.table().await;
        let mut ids = Vec::new();
        for n in 0..PAGE + 2 {
            // Two begin at the same moment; their ids decide.
            world.wait(i64::from(n != 1));
            ids.push(world.public_table(&format!("Ben {n}")).await.red.seat.game().to_string());
        }
        let first = world.play.public_games(PublicFilter::default()).await.unwrap();
        assert_eq!(first.games.len(), PAGE);
        let rest = PublicFilter { after: first.next.clone(), ..PublicFilter::default() };
        let rest = world.play.public_games(rest).await.unwrap();
        assert!(rest.next.is_none());
        let mut listed: Vec<String> = first.games.iter().chain(&rest.games).map(|line| line.game.to_string()).collect();
        assert_eq!(listed.first(), ids.last(), "the newest comes first");
        listed.sort();
        ids.sort();
        assert_eq!(listed, ids, "each game stands there once");

        let by = |player: &str| PublicFilter { player: player.into(), ..PublicFilter::default() };
        let anns = world.play.public_games(by("ANN")).await.unwrap();
        assert_eq!((anns.games.len(), anns.next.is_some()), (PAGE, true));
        assert_eq!(world.finds(by("7 ben")).await.len(), 1);
        assert!(world.finds(by("Ann Ben")).await.is_empty(), "all words are one player's");
        assert!(world.finds(by("Be")).await.is_empty() && world.finds(by("%")).await.is_empty());

        // One that is over goes to the archive.
        let table = world.public_table("Cleo").await;
        table.deploy().await;
        world.play.resign(&table.blue.seat).await.unwrap();
        assert!(world.finds(by("Cleo")).await.is_empty());
        let over = |outcome, board| PublicFilter { over: true, outcome, board, ..by("cleo") };
        let (setup, other) = (table.red.sees().await.setup, {
            let board = std::sync::Arc::clone(fieldcommand::rules::field_command::maps::ridge());
            fieldcommand::rules::Setup::FieldCommand(fieldcommand::rules::field_command::Setup {
                board,
                no_removal_limit: 12,
                day_limit: 0,
            })
        });
        assert_eq!(world.finds(over(None, None)).await.len(), 1);
        assert_eq!(world.finds(over(Some(Outcome::RedWins), Some(setup))).await.len(), 1);
        assert!(world.finds(over(Some(Outcome::Draw), None)).await.is_empty());
        assert!(world.finds(over(None, Some(other))).await.is_empty());
        world.end().await;
    }
}

#[tokio::test]
async fn a_freed_seat_is_found_no_more() {
    for world in World::both().await {
        let table = world.public_table("Mallory").await;
        let by = PublicFilter { player: "mallory".into(), ..PublicFilter::default() };
        assert_eq!(world.finds(by.clone()).await.len(), 1);
        world.play.unseat(&table.red.seat).await.unwrap();
        assert!(world.finds(by).await.is_empty());
        assert!(!world.play.spectacle(table.red.seat.game()).await.unwrap().seated);
        world.end().await;
    }
}

#[tokio::test]
async fn a_stranger_looks_on_and_players_go_to_their_seats() {
    let server = Server::start(81).await;
    let ann = server.browser();
    let fields = [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("public", "1")];
    let opened = ann.post("/games", &fields).await;
    let red = opened.location().to_owned();
    let page = ann.get(&red).await;
    let (token, invitation) = (page.link("/s/"), page.link("/i/"));
    let ben = server.browser();
    assert!(ben.get(&invitation).await.words().contains("The game is public: everybody may look on"));
    let taken = ben.sends(&invitation, &[("name", "Ben")]).await;
    let secret = |link: &str| link.trim_start_matches("/s/").to_owned();
    let id = red.trim_start_matches("/games/").trim_end_matches("/red").to_owned();
    let game = Game { id: id.clone(), red: secret(&token), blue: secret(&taken.link("/s/")) };
    for side in Side::BOTH {
        game.seals(&server, side, 0, &crate::world::deployment(side, "balanced")).await;
    }
    game.seals(&server, Side::Red, 1, "H7-F7").await;

    let stranger = server.browser();
    let list = stranger.get("/games").await;
    assert!(list.words().contains("Ann against Ben Day 1"), "{}", list.words());
    let page = stranger.get(&format!("/games/{id}")).await;
    assert!(page.words().contains("Day 1 is being written, in secret."), "{}", page.words());
    assert!(!page.words().contains("sealed on") && !page.body.contains("/red"));
    assert_eq!(stranger.get(&format!("/games/{id}/days/0")).await.status, 200);
    assert_eq!(stranger.get(&format!("/games/{id}/days/1")).await.status, 404);
    assert_eq!(stranger.get(&format!("/games/{id}/story")).await.status, 200);
    assert_eq!(stranger.get(&red).await.status, 404);
    assert_eq!(ann.get(&format!("/games/{id}")).await.location(), red);
    assert_eq!(ann.get(&format!("/games/{id}/story")).await.location(), format!("{red}/story"));
    assert!(stranger.get("/games/archive").await.words().contains("No public game is over yet."));
    server.stop().await;
}

impl World {
    /// A browser that holds a seat.
    async fn session(&self, player: &Player) -> Secret {
        self.play.remember(&player.seat, None).await.unwrap()
    }

    /// A game that Ann has opened to anybody for a week.
    async fn challenge(&self, address: &str) -> (GameId, Player) {
        let company = Company { challenge_days: Some(7), ..Company::default() };
        let opened = self.play.open(NewGame { company, ..new_game(12, address) }).await.unwrap();
        confirm_all(&self.play, self.path()).await;
        let seat = self.play.seat_of_link(&opened.link).await.unwrap();
        (opened.game, Player::new(&self.play, seat))
    }
}

#[tokio::test]
async fn a_challenge_is_open_to_anybody_for_a_while_and_is_taken_once() {
    for world in World::both().await {
        let (game, ann) = world.challenge("").await;
        let lobby = world.play.challenges(None, None).await.unwrap().challenges;
        assert_eq!((lobby.len(), lobby[0].side, lobby[0].record), (1, Side::Blue, None));
        world.wait(7 * 24 * 3600);
        assert!(world.play.challenges(None, None).await.unwrap().challenges.is_empty());
        assert_eq!(world.play.take_challenge(&game, "Eve", None).await.unwrap_err(), PlayError::ChallengeOver);
        assert!(ann.sees().await.company.challenge_over);

        // Renewed, withdrawn, renewed; then taken once.
        assert!(world.play.set_challenge(&ann.seat, Some(31)).await.is_err());
        for days in [Some(30), None, Some(1)] {
            world.play.set_challenge(&ann.seat, days).await.unwrap();
            assert_eq!(world.play.challenge(&game, None).await.is_ok(), days.is_some());
        }
        let taken = world.play.take_challenge(&game, "Ben", None).await.unwrap();
        assert_eq!(world.play.take_challenge(&game, "Eve", None).await.unwrap_err(), PlayError::ChallengeOver);
        assert_eq!(world.play.set_challenge(&ann.seat, Some(1)).await, Err(PlayError::SeatTaken));
        assert!(world.play.challenges(None, None).await.unwrap().challenges.is_empty());
        // Unseating stays possible before the first day; the challenge is not opened again by it.
        world.play.unseat(&ann.seat).await.unwrap();
        assert!(world.play.seat_of_link(&taken.link).await.is_err());
        assert_eq!(world.play.take_challenge(&game, "Eve", None).await.unwrap_err(), PlayError::ChallengeOver);
        world.end().await;
    }
}

#[tokio::test]
async fn who_has_blocked_whom_finds_no_challenge_of_the_other() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let stranger = world.table().await;
        assert_eq!(world.play.block(&stranger.red.seat, true).await, Err(PlayError::NoAddressToBlock));
        let (game, _) = world.challenge("ann@example.org").await;
        let (ben, other) = (world.session(&table.blue).await, world.session(&stranger.blue).await);
        let finds = async |session: &Secret| {
            let listed = world.play.challenges(Some(session), None).await.unwrap().challenges.len();
            (listed, world.play.challenge(&game, Some(session)).await.err())
        };
        assert_eq!(finds(&ben).await, (1, None));
        for blocker in [&table.red, &table.blue] {
            world.play.block(&blocker.seat, true).await.unwrap();
            assert_eq!(blocker.sees().await.company.blocked, Some(true));
            assert_eq!(finds(&ben).await, (0, Some(PlayError::ChallengeOver)));
            let taken = world.play.take_challenge(&game, "Ben", Some(&ben)).await;
            assert_eq!(taken.unwrap_err(), PlayError::ChallengeOver, "as if it was taken");
            assert_eq!(finds(&other).await, (1, None));
            world.play.block(&blocker.seat, false).await.unwrap();
        }
        assert_eq!(finds(&ben).await, (1, None));
        // Who has played to the end is told in numbers.
        world.play.resign(&table.red.seat).await.unwrap();
        let line = world.play.challenge(&game, None).await.unwrap().1;
        assert_eq!(line.record.map(|record| (record.finished, record.missed)), Some((1, 0)));
        world.end().await;
    }
}

#[tokio::test]
async fn both_play_again_in_one_game_with_sides_changed() {
    for world in World::both().await {
        let table = world.table_with(9, ["ann@example.org", "ben@example.org"]).await;
        assert_eq!(world.play.play_again(&table.red.seat).await.unwrap_err(), PlayError::NotFound, "the game goes on");
        table.deploy().await;
        world.play.resign(&table.red.seat).await.unwrap();
        letters(&world.play, world.path()).await;

        let first = world.play.play_again(&table.red.seat).await.unwrap();
        assert_eq!(first.side, Side::Blue);
        assert_eq!(world.play.play_again(&table.red.seat).await.unwrap().game, first.game, "asked once");
        assert_eq!(table.blue.sees().await.company.again, Again::Asked(first.game.clone()));
        let sent = letters(&world.play, world.path()).await;
        assert_eq!(sent.len(), 1);
        assert!(sent[0].contains("To: ben@example.org") && sent[0].contains("Ann wants to play again"), "{}", sent[0]);
        let ann = Player::new(&world.play, world.play.seat_of_link(&first.link).await.unwrap());
        let view = ann.sees().await;
        assert!(view.company.kept && view.invitation.is_none());
        assert_eq!(view.address.as_deref(), Some("ann@example.org"));

        let second = world.play.play_again(&table.blue.seat).await.unwrap();
        assert_eq!((second.game.clone(), second.side), (first.game.clone(), Side::Red));
        let view = ann.sees().await;
        assert_eq!((view.names.red.as_deref(), view.names.blue.as_deref()), (Some("Ben"), Some("Ann")));
        assert_eq!(view.company.rematch_of.as_ref(), Some(table.red.seat.game()));
        assert_eq!(view.setup, table.red.sees().await.setup);
        assert_eq!(table.blue.sees().await.company.again, Again::Mine(first.game));
        world.end().await;
    }
}

#[tokio::test]
async fn who_has_blocked_whom_is_asked_for_no_rematch() {
    for world in World::both().await {
        let table = world.table_with(9, ["ann@example.org", "ben@example.org"]).await;
        world.play.resign(&table.red.seat).await.unwrap();
        letters(&world.play, world.path()).await;
        world.play.block(&table.red.seat, true).await.unwrap();
        for seat in [&table.blue.seat, &table.red.seat] {
            assert_eq!(world.play.view(seat).await.unwrap().company.again, Again::No);
            assert_eq!(world.play.play_again(seat).await.unwrap_err(), PlayError::NoRematch);
        }
        assert!(letters(&world.play, world.path()).await.is_empty());
        world.play.block(&table.red.seat, false).await.unwrap();
        let asked = world.play.play_again(&table.blue.seat).await.unwrap();
        // Blocked after it was asked: the seat is offered no more, and who asked waits as for anybody.
        world.play.block(&table.red.seat, true).await.unwrap();
        assert_eq!(table.red.sees().await.company.again, Again::No);
        assert_eq!(table.blue.sees().await.company.again, Again::Mine(asked.game));
        world.end().await;
    }
}

#[tokio::test]
async fn blocking_twice_is_blocking_once() {
    let server = Server::start(84).await;
    let (ann, ben) = (server.browser(), server.browser());
    let fields = [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", "a@b.org")];
    let red = ann.post("/games", &fields).await.location().to_owned();
    let taken = ben.post(&ann.get(&red).await.link("/i/"), &[("name", "Ben")]).await.location().to_owned();
    let blue = taken.split('?').next().unwrap();
    ben.post(&format!("{blue}/address"), &[("address", "b@b.org")]).await;
    for letter in crate::world::mailbox::letters_of(server.data(), 2).await {
        let secret = crate::world::mailbox::mailed_link(&letter).unwrap();
        let browser = server.browser();
        let page = browser.get(&format!("/m/{}", secret.reveal())).await;
        crate::world::forms::press(&browser, &page, "Yes, it is mine").await;
    }
    let path = format!("{red}/block");
    let asked = ann.get(&path).await;
    for _ in 0..2 {
        crate::world::forms::press(&ann, &asked, "Block Ben").await;
        assert!(ann.get(&path).await.words().contains("Unblock Ben"), "{}", ann.get(&path).await.words());
    }
    assert_eq!(ann.post(&path, &[]).await.status, 422);
    let asked = ann.get(&path).await;
    for _ in 0..2 {
        crate::world::forms::press(&ann, &asked, "Unblock Ben").await;
        assert!(!ann.get(&path).await.words().contains("Unblock Ben"));
    }
    server.stop().await;
}

#[tokio::test]
async fn two_who_ask_at_once_meet_in_one_game() {
    for world in World::both().await {
        for _ in 0..20 {
            let table = world.table().await;
            world.play.resign(&table.red.seat).await.unwrap();
            let (red, blue) =
                tokio::join!(world.play.play_again(&table.red.seat), world.play.play_again(&table.blue.seat));
            let (red, blue) = (red.unwrap(), blue.unwrap());
            assert_eq!((red.game, red.side), (blue.game, blue.side.other()));
        }
        world.end().await;
    }
}

#[tokio::test]
async fn a_seat_that_was_kept_can_be_given_to_somebody_else() {
    for world in World::both().await {
        let table = world.table().await;
        world.play.resign(&table.red.seat).await.unwrap();
        let first = world.play.play_again(&table.red.seat).await.unwrap();
        let ann = world.play.seat_of_link(&first.link).await.unwrap();
        world.play.withdraw_invitation(&ann).await.unwrap();
        assert!(world.play.view(&ann).await.unwrap().invitation.is_some());
        assert_eq!(table.blue.sees().await.company.again, Again::No);
        assert_eq!(world.play.play_again(&table.blue.seat).await.unwrap_err(), PlayError::NoRematch);
        world.end().await;
    }
}

#[tokio::test]
async fn an_invitation_goes_by_letter_with_a_name_and_nothing_else_and_not_often() {
    for world in World::both().await {
        let opened = world.play.open(new_game(12, "")).await.unwrap();
        let ann = world.play.seat_of_link(&opened.link).await.unwrap();
        assert!(world.play.mail_invitation(&ann, "nobody").await.is_err());
        world.play.mail_invitation(&ann, "Ben@example.org").await.unwrap();
        let sent = letters(&world.play, world.path()).await;
        assert!(
            sent[0].contains("To: Ben@example.org") && sent[0].contains("invites you gave the name"),
            "{}",
            sent[0]
        );
        let subject = sent[0].lines().find(|line| line.starts_with("Subject:")).unwrap();
        assert_eq!(subject, "Subject: An invitation to a game of Field Command", "nobody else's words stand there");
        assert!(sent[0].contains(opened.invitation.reveal()));
        for _ in 0..4 {
            world.play.mail_invitation(&ann, "ben@example.org").await.unwrap();
        }
        assert!(matches!(world.play.mail_invitation(&ann, "eve@example.org").await, Err(PlayError::TooMany(_))));
        // Another seat gets the same answer as ever, and the address no sixth letter.
        let other = world.play.open(new_game(12, "")).await.unwrap();
        let other = world.play.seat_of_link(&other.link).await.unwrap();
        world.play.mail_invitation(&other, "BEN@example.org").await.unwrap();
        assert_eq!(letters(&world.play, world.path()).await.len(), 4);
        world.wait(24 * 3600);
        // What is taken before the letter leaves goes nowhere.
        world.play.mail_invitation(&ann, "ben@example.org").await.unwrap();
        world.play.take_seat(&opened.invitation, "Ben").await.unwrap();
        assert!(letters(&world.play, world.path()).await.is_empty());
        assert_eq!(world.play.mail_invitation(&ann, "ben@example.org").await, Err(PlayError::SeatTaken));
        world.end().await;
    }
}

#[tokio::test]
async fn a_challenge_is_looked_at_and_taken_in_a_browser_and_played_again() {
    let server = Server::start(82).await;
    let (ann, ben) = (server.browser(), server.browser());
    let fields =
        [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("challenge", "1"), ("days", "3")];
    let red = ann.post("/games", &fields).await.location().to_owned();
    let lobby = ben.get("/lobby").await;
    assert!(lobby.words().contains("Ann offers Blue Ann: new here."), "{}", lobby.words());
    let path = red.replace("/games/", "/lobby/").replace("/red", "");
    assert!(lobby.body.contains(&path));
    let looked = ben.get(&path).await;
    assert!(looked.words().contains("Ann waits for an opponent") && looked.headers.get("set-cookie").is_none());
    let seat = ann.get(&red).await;
    assert!(seat.words().contains("Anybody may take the seat until"), "{}", seat.words());
    let wrong = ann.post(&format!("{red}/challenge"), &[("do", "open"), ("days", "99")]).await;
    assert_eq!(wrong.status, 422, "{}", wrong.words());
    let sent = ann.sends(&format!("{red}/invitation/send"), &[("address", "cleo@example.org")]).await;
    assert!(sent.words().contains("The letter with the invitation is on its way."), "{}", sent.words());
    let taken = ben.sends(&path, &[("name", "Ben")]).await;
    assert!(taken.words().contains("Blue’s seat is yours."), "{}", taken.words());
    assert_eq!(server.browser().post(&path, &[("name", "Eve")]).await.status, 409);
    let blue = red.replace("/red", "/blue");
    ben.post(&format!("{blue}/resign"), &[]).await;
    let next = ann.post(&format!("{red}/again"), &[]).await.location().to_owned();
    assert!(next.contains("/blue?welcome=1"), "{next}");
    assert!(ann.get(&next).await.words().contains("The other seat is kept for your opponent"));
    assert!(ben.get(&blue).await.words().contains("Ann wants to play again"));
    let joined = ben.sends(&format!("{blue}/again"), &[]).await;
    assert!(joined.words().contains("Red’s seat is yours."), "{}", joined.words());
    assert_eq!(ben.get(&format!("{blue}/block")).await.status, 409);
    server.stop().await;
}

fn message(text: &str) -> ToSend {
    ToSend { text: text.into(), all_the_same: false }
}

#[tokio::test]
async fn players_write_to_each_other_and_nobody_else_learns_of_it() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        table.deploy().await;
        letters(&world.play, world.path()).await;
        let (red, blue) = (&table.red.seat, &table.blue.seat);
        let version = world.play.version(red).await.unwrap();
        for wrong in [" \n", &"x".repeat(LONGEST + 1)] {
            assert!(matches!(world.play.send_message(red, message(wrong)).await, Err(PlayError::Field { .. })));
        }
        // What looks like orders is asked about first.
        let orders = message("All right.\nI2 H7-F7");
        assert_eq!(world.play.send_message(red, orders.clone()).await, Err(PlayError::LooksLikeSheet));
        world.play.send_message(red, ToSend { all_the_same: true, ..orders }).await.unwrap();
        world.play.send_message(red, message("Well played!")).await.unwrap();
        let sent = letters(&world.play, world.path()).await;
        assert_eq!(sent.len(), 2);
        let joined = sent.join("");
        assert!(joined.contains("Well played!") && joined.contains("Ann has written to you"), "{joined}");
        let mailbox = async |seat| world.play.view(seat).await.unwrap().company.mailbox;
        assert_eq!((mailbox(blue).await.unread, mailbox(red).await.unread), (2, 0));
        world.play.read_messages(blue, 1).await.unwrap();
        assert_eq!((mailbox(blue).await.unread, mailbox(blue).await.last), (1, 2));

        // Muted: no letter, no announcement; what was written is there all the same.
        world.play.mute(blue, true).await.unwrap();
        let before = world.play.view(red).await.unwrap();
        world.play.send_message(red, message("Are you there?")).await.unwrap();
        assert!(letters(&world.play, world.path()).await.is_empty());
        assert_eq!(world.play.announced_message(blue).await, Ok(0));
        world.play.mute(blue, false).await.unwrap();
        assert_eq!(world.play.announced_message(blue).await, Ok(3));
        let thread = world.play.messages(blue, None).await.unwrap();
        assert_eq!((thread.messages.len(), thread.earlier), (3, false));
        assert_eq!(world.play.messages(blue, Some(2)).await.unwrap().messages.len(), 1);
        assert_eq!(before.names, world.play.view(red).await.unwrap().names);
        assert_eq!(world.play.version(red).await.unwrap(), version, "messages are no change of the game");

        world.play.report_messages(blue, "rude").await.unwrap();
        assert!(world.play.report_messages(blue, " ").await.is_err());
        for _ in 3..20 {
            world.play.send_message(red, message("And another thing.")).await.unwrap();
        }
        assert!(matches!(world.play.send_message(red, message("x")).await, Err(PlayError::TooMany(_))));
        world.wait(3601);
        // After the end everything stays readable, and orders are only words.
        world.play.resign(blue).await.unwrap();
        world.play.send_message(red, message("H7-F7 was the idea.")).await.unwrap();
        assert_eq!(world.play.messages(blue, None).await.unwrap().messages.len(), 21);
        world.end().await;
    }
}

#[tokio::test]
async fn messages_are_for_those_two_alone() {
    for world in World::both().await {
        let table = world.public_table("Ben").await;
        let id = table.red.seat.game();
        let before = format!("{:?}", world.play.spectacle(id).await.unwrap());
        world.play.send_message(&table.red.seat, message("Between us.")).await.unwrap();
        assert_eq!(before, format!("{:?}", world.play.spectacle(id).await.unwrap()));
        // Whoever comes instead of an opponent was no party to them.
        world.play.unseat(&table.red.seat).await.unwrap();
        assert!(world.play.messages(&table.red.seat, None).await.unwrap().messages.is_empty());
        assert_eq!(world.play.send_message(&table.red.seat, message("?")).await, Err(PlayError::NotFound));
        let here = world.play.open_one_device(new_game(12, ""), "Ben").await.unwrap();
        let seat = world.play.seat_of_link(&here.links.red).await.unwrap();
        assert_eq!(world.play.messages(&seat, None).await, Err(PlayError::NotFound));
        assert_eq!(world.play.send_message(&seat, message("?")).await, Err(PlayError::NotFound));
        world.end().await;
    }
}

#[tokio::test]
async fn messages_are_written_without_a_script_and_announced_with_one() {
    let server = Server::start(83).await;
    let game = Game::opened(&server).await;
    let (ann, ben) = (server.browser(), server.browser());
    ann.get(&game.link(&server, Side::Red)).await;
    ben.get(&game.link(&server, Side::Blue)).await;
    let (red, blue) = (game.seat(&server, Side::Red), game.seat(&server, Side::Blue));
    assert!(ann.get(&red).await.words().contains("Write to Ben"));
    let mut news = ben.listen(&format!("{blue}/events")).await;
    news.next().await.unwrap();
    let asked = ann.post(&format!("{red}/messages"), &[("text", "GN K11")]).await;
    assert_eq!(asked.status, 409);
    assert!(asked.words().contains("Send it to your opponent all the same?"), "{}", asked.words());
    let sent = ann.sends(&format!("{red}/messages"), &[("text", "GN K11"), ("all_the_same", "1")]).await;
    assert!(sent.words().contains("You, 1 Jan 2026"), "{}", sent.words());
    assert_eq!(news.next().await, Some(1), "the number of the message and no word of it");
    assert!(ben.get(&blue).await.words().contains("1 new message"));
    let page = ben.get(&format!("{blue}/messages")).await;
    assert!(page.words().contains("GN K11") && page.words().contains("Mark as read"), "{}", page.words());
    assert!(ben.get(&blue).await.words().contains("1 new message"), "looking marks nothing");
    ben.sends(&format!("{blue}/messages/read"), &[("number", "1")]).await;
    assert!(!ben.get(&blue).await.words().contains("1 new message"));
    let muted = ben.sends(&format!("{blue}/messages/mute"), &[("on", "1")]).await;
    assert!(muted.words().contains("which you have muted"), "{}", muted.words());
    let reported = ben.sends(&format!("{blue}/messages/report"), &[("reason", "rude")]).await;
    assert!(reported.words().contains("Your report is with the organiser"), "{}", reported.words());
    assert_eq!(server.browser().get(&format!("{blue}/messages")).await.status, 404);
    server.stop().await;
}
