//! The organiser's desk for programs: thin doors to `play::admin`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::web::WebState;

/// Who asks, and on which terms.
mod asker;
/// What is shown, as JSON.
mod shown;
/// Reading games and deadlines.
mod games;
/// Reading letters, mails, people, reports, numbers and the log.
mod lists;
/// Reading which processes there are.
mod processes;
/// What is done to games and seats.
mod acts;
/// What is done elsewhere: letters, addresses, announcements.
mod mends;
/// Tokens.
mod tokens;
/// Webhooks that hear of all games.
mod webhooks;
/// Boards that are offered.
mod boards;
/// Blocks in force.
mod blocks;

/// The operations of the desk, without the root of their addresses.
pub fn operations() -> OpenApiRouter<WebState> {
    OpenApiRouter::new()
        .routes(routes!(games::list, acts::open))
        .routes(routes!(games::game))
        .routes(routes!(games::deadlines))
        .routes(routes!(lists::letters))
        .routes(routes!(lists::mails))
        .routes(routes!(lists::people))
        .routes(routes!(lists::person))
        .routes(routes!(lists::reports))
        .routes(routes!(lists::statistics))
        .routes(routes!(processes::list))
        .routes(routes!(lists::audit))
        .routes(routes!(acts::deadline))
        .routes(routes!(acts::pause))
        .routes(routes!(acts::resume))
        .routes(routes!(acts::cancel))
        .routes(routes!(acts::result))
        .routes(routes!(acts::reissue))
        .routes(routes!(acts::replace))
        .routes(routes!(mends::resend))
        .routes(routes!(blocks::list, mends::block))
        .routes(routes!(mends::unblock))
        .routes(routes!(mends::announcements, mends::announce))
        .routes(routes!(mends::withdraw))
        .routes(routes!(tokens::list, tokens::make))
        .routes(routes!(tokens::revoke))
        .routes(routes!(boards::list, boards::offer))
        .routes(routes!(boards::retire))
        .routes(routes!(webhooks::list, webhooks::make))
        .routes(routes!(webhooks::read))
        .routes(routes!(webhooks::renew))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::resend))
        .routes(routes!(webhooks::remove))
}
