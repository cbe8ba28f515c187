//! Games in company: spectators and lists of public games.

use fieldcommand::play::PlayError;
use fieldcommand::play::open::{Company, NewGame};
use fieldcommand::play::public::{PAGE, PublicFilter};
use fieldcommand::rules::{Outcome, Side};

use crate::world::game::Game;
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
