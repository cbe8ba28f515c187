//! Games that programs have brought to where a browser takes over.

use fieldcommand::rules::Side;
use serde_json::json;

use super::server::Server;
use super::{deployment, exposed};

/// A game, with the token of each side.
pub struct Game {
    pub id: String,
    pub red: String,
    pub blue: String,
}

impl Game {
    /// One that Ann has opened as Red and Ben has joined.
    pub async fn opened(server: &Server) -> Game {
        let opened = server.program("").post("/games", &json!({"side": "red", "name": "Ann"})).await.json();
        let invitation = json!({"token": opened["invitation_token"], "name": "Ben"});
        let taken = server.program("").post("/invitations/take", &invitation).await.json();
        let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        Game { id: word(&opened["game"]), red: word(&opened["token"]), blue: word(&taken["token"]) }
    }

    /// One with both armies on the board, Blue's General in front.
    pub async fn deployed(server: &Server) -> Game {
        let game = Game::opened(server).await;
        game.seals(server, Side::Red, 0, &deployment(Side::Red, "balanced")).await;
        game.seals(server, Side::Blue, 0, &exposed()).await;
        game
    }

    /// Seals a sheet of a side.
    pub async fn seals(&self, server: &Server, side: Side, turn: u32, text: &str) {
        let token = if side == Side::Red { &self.red } else { &self.blue };
        let sealed = server.program(token).seals(&format!("/games/{}/{}", self.id, side.word()), turn, text).await;
        assert_eq!(sealed.status, 200, "{}", sealed.body);
    }

    /// The link that opens a side's seat.
    pub fn link(&self, server: &Server, side: Side) -> String {
        format!("{}/s/{}", server.url, if side == Side::Red { &self.red } else { &self.blue })
    }

    /// The address of a side's page.
    pub fn seat(&self, server: &Server, side: Side) -> String {
        format!("{}/games/{}/{}", server.url, self.id, side.word())
    }
}
