//! A game's settings, read from a request and shown in an answer: the only file of the API that
//! knows which options the game has.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::whole;
use crate::pace::Pace;
use crate::play::boards::BoardNames;
use crate::play::terms::{MissingDeployment, Terms};
use crate::play::{Play, PlayError};
use crate::rules::field_command::maps::Map;
use crate::rules::field_command::standing::NO_REMOVAL_LIMIT;
use crate::rules::{Setup, field_command};

/// A board that a game can be opened on: `classic`, the printed board (much forest, hills everywhere); `ridge`, more open
/// ground and one long ridge; or the alias of another that is offered, see `GET /boards`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(value_type = String, pattern = "^[a-z][a-z0-9-]{1,23}$", default = "classic", example = "classic")]
pub struct BoardName(String);

impl Default for BoardName {
    fn default() -> BoardName {
        BoardName(Map::Classic.name().to_owned())
    }
}

/// What a game is played by.
#[derive(Debug, Serialize, ToSchema)]
pub struct Settings {
    /// The version of the rules, the same to the end of the game.
    #[schema(value_type = String, example = "field_command/1")]
    rules: &'static str,
    /// The game's name for people.
    #[schema(value_type = String, example = "Field Command")]
    game_name: &'static str,
    /// The board's name, the alias of one that is offered or was; `null` for one without a name.
    #[schema(required, example = "classic")]
    board: Option<String>,
    /// After so many days running without a removal the game is a draw; 0 for never.
    #[schema(minimum = 0, maximum = 99, example = 12)]
    no_removal_limit: u32,
    /// After this day the game is a draw; 0 for no such limit.
    #[schema(minimum = 0, maximum = 999, example = 0)]
    day_limit: u32,
    /// The house rules in sentences.
    #[schema(example = json!(["Either side may resign at any time."]))]
    house_rules: Vec<String>,
}

/// How fast a game goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PaceChoice {
    /// Without deadlines: the players wait for each other.
    #[default]
    Open,
    /// So many hours for each turn.
    Span {
        /// For each turn but the deployment, 1 to 720.
        #[schema(minimum = 1, maximum = 720, example = 72)]
        hours: u32,
        /// For the deployment, 1 to 720.
        #[schema(minimum = 1, maximum = 720, example = 72)]
        first_hours: u32,
    },
    /// At fixed times of a zone's clocks.
    Fixed {
        /// The zone's IANA name.
        #[schema(example = "Europe/Berlin")]
        zone: String,
        /// The time of day.
        #[schema(example = "20:00")]
        at: String,
        /// The days of the week, Monday being 1 and Sunday 7.
        #[schema(example = json!([1, 3, 5]))]
        days: Vec<i8>,
        /// How many hours a turn lasts at least, up to 720.
        #[schema(minimum = 0, maximum = 720, example = 12)]
        rest_hours: u32,
    },
}

impl From<PaceChoice> for Pace {
    fn from(choice: PaceChoice) -> Pace {
        match choice {
            PaceChoice::Open => Pace::Open,
            PaceChoice::Span { hours, first_hours } => Pace::Span { hours, first_hours },
            PaceChoice::Fixed { zone, at, days, rest_hours } => Pace::fixed(zone, at, days, rest_hours),
        }
    }
}

impl From<Pace> for PaceChoice {
    fn from(pace: Pace) -> PaceChoice {
        match pace {
            Pace::Open => PaceChoice::Open,
            Pace::Span { hours, first_hours } => PaceChoice::Span { hours, first_hours },
            Pace::Fixed { zone, at, days, rest_hours } => PaceChoice::Fixed { zone, at, days, rest_hours },
        }
    }
}

/// The terms of a game's clock. Every member may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TermsChoice {
    /// After so many turns missed running the opponent may claim the win.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 99, default = 3)]
    missed_running: u32,
    /// After so many turns missed in all the opponent may claim the win.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 99, default = 5)]
    missed_all: u32,
    /// For so many minutes after the last seal both may still replace their sheets: 0, 2, 10 or 60.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 60, default = 0)]
    second_thoughts: u32,
    /// So many days of absence may each player announce.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 365, default = 14)]
    absence_days: u32,
    /// What happens where a deployment is missing when it is due.
    missing_deployment: Missing,
}

/// What happens where a deployment is missing when it is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// The game is void.
    #[default]
    Void,
    /// A ready-made one is used, drawn by lot.
    ReadyMade,
}

impl Default for TermsChoice {
    fn default() -> TermsChoice {
        Terms::default().into()
    }
}

impl From<TermsChoice> for Terms {
    fn from(choice: TermsChoice) -> Terms {
        let TermsChoice { missed_running, missed_all, second_thoughts, absence_days, missing_deployment } = choice;
        let missing_deployment = match missing_deployment {
            Missing::Void => MissingDeployment::Void,
            Missing::ReadyMade => MissingDeployment::ReadyMade,
        };
        Terms { missed_running, missed_all, second_thoughts, absence_days, missing_deployment }
    }
}

impl From<Terms> for TermsChoice {
    fn from(terms: Terms) -> TermsChoice {
        let Terms { missed_running, missed_all, second_thoughts, absence_days, missing_deployment } = terms;
        let missing_deployment = match missing_deployment {
            MissingDeployment::Void => Missing::Void,
            MissingDeployment::ReadyMade => Missing::ReadyMade,
        };
        TermsChoice { missed_running, missed_all, second_thoughts, absence_days, missing_deployment }
    }
}

impl Settings {
    /// The settings of a game.
    pub fn of(setup: &Setup, board: Option<BoardNames>) -> Settings {
        let Setup::FieldCommand(options) = setup;
        Settings {
            rules: setup.rules_version(),
            game_name: setup.game_name(),
            board: board.map(|board| board.alias),
            no_removal_limit: options.no_removal_limit,
            day_limit: options.day_limit,
            house_rules: setup.house_rules(),
        }
    }
}

/// The limit of days without a removal that is meant where none is given.
pub const fn usual_limit() -> u32 {
    NO_REMOVAL_LIMIT
}

/// The usual setup on the board of a name, by which the games on it are found: also on one that was retired.
///
/// # Errors
/// The store failed.
pub async fn setup_of_board(play: &Play, name: &str) -> Result<Option<Setup>, PlayError> {
    if let Some(map) = Map::by_name(name) {
        let (board, no_removal_limit) = (map.board().clone(), usual_limit());
        return Ok(Some(Setup::FieldCommand(field_command::Setup { board, no_removal_limit, day_limit: 0 })));
    }
    let offered = play.offered_boards().await?;
    let offered = offered.iter().find(|offered| offered.alias == name);
    offered.map(|offered| offered.setup(usual_limit(), 0)).transpose()
}

/// What a game is opened with.
///
/// # Errors
/// No such board is offered; the store failed.
pub async fn setup(play: &Play, board: &BoardName, no_removal_limit: u32, day_limit: u32) -> Result<Setup, PlayError> {
    if let Some(map) = Map::by_name(&board.0) {
        let board = map.board().clone();
        return Ok(Setup::FieldCommand(field_command::Setup { board, no_removal_limit, day_limit }));
    }
    let offered = play.offered_boards().await?;
    match offered.iter().find(|offered| offered.alias == board.0 && offered.retired_at.is_none()) {
        Some(offered) => offered.setup(no_removal_limit, day_limit),
        None => Err(PlayError::Field { field: "board", problem: "names no board that is offered".into() }),
    }
}
