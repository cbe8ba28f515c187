//! The organiser's desk for programs: thin doors to `play::admin`.

use super::operations::operations;

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

operations! {
    games::list,
    acts::open,
    games::game,
    games::deadlines,
    lists::letters,
    lists::mails,
    lists::people,
    lists::person,
    lists::reports,
    lists::statistics,
    processes::list,
    lists::audit,
    acts::deadline,
    acts::pause,
    acts::resume,
    acts::cancel,
    acts::result,
    acts::reissue,
    acts::replace,
    mends::resend,
    blocks::list,
    mends::block,
    mends::unblock,
    mends::announcements,
    mends::announce,
    mends::withdraw,
    tokens::list,
    tokens::make,
    tokens::revoke,
    boards::list,
    boards::offer,
    boards::retire,
    webhooks::list,
    webhooks::make,
    webhooks::read,
    webhooks::renew,
    webhooks::test,
    webhooks::resend,
    webhooks::remove,
}
