//! The words of letters about what an organiser did.

use crate::mail::words::{Link, Words, about_seat, name, seat_page};
use crate::play::Secret;
use crate::play::admin::shown::ShownAct;
use crate::play::mailed::MailedLink;
use crate::play::view::SeatView;
use crate::play::wishes::Wishes;

/// The way to a seat that an organiser has given to the reader.
pub(super) fn seat(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    let side = link.seat.as_ref().map_or("a side", |(_, side)| side.name());
    let mut paragraphs = vec![format!(
        "The organiser of this server has given you the seat of {side} in a game of Field Command, a board game for two. \
         Open this link within 7 days and press the button: the seat is yours then, and letters about the game come here."
    )];
    paragraphs.extend(link.reason.iter().map(|reason| format!("The organiser writes: “{reason}”")));
    paragraphs.push(
        "A link to this seat that you may have had before opens nothing any more. If you do not know what this is \
                     about, do nothing."
            .into(),
    );
    Words {
        subject: "Field Command: the way to your seat".into(),
        headline: format!("The way to the seat of {side}"),
        paragraphs,
        link: Some(Link { address: format!("{public_url}/m/{}", secret.reveal()), button: "Take the seat" }),
        why: "This letter goes to you because the organiser of the server has put this address on a seat.".into(),
        ..Words::default()
    }
}

/// What the organiser did in a game.
pub(super) fn act(view: &SeatView, act: &ShownAct, wishes: &Wishes, public_url: &str) -> Words {
    let mut paragraphs = vec![format!("{}.", act.name)];
    if let Some(side) = act.side {
        paragraphs.push(format!("It concerns the seat of {}, {}.", side.name(), name(view, side)));
    }
    paragraphs.push(format!("The organiser writes: “{}”", act.reason));
    paragraphs.extend(stands(view, wishes));
    Words {
        paragraphs,
        link: Some(Link { address: seat_page(view, public_url), button: "Look at the game" }),
        ..about_seat(view, "the organiser has done something", String::new(), public_url)
    }
}

/// Where the game stands now.
fn stands(view: &SeatView, wishes: &Wishes) -> Option<String> {
    if let Some(ended) = &view.ended {
        return Some(format!("The game is over. {}", ended.how));
    }
    if view.organiser.asks.is_some() {
        return Some("You are asked whether you agree: the page of the game has the two buttons.".into());
    }
    let turn = view.standing.turn_name();
    match (view.time.paused_until, view.due) {
        (Some(until), _) => Some(format!("Nothing is due until {}.", wishes.moment(until))),
        (None, Some(due)) => Some(format!("{turn} is due {}.", wishes.moment(due))),
        (None, None) => None,
    }
}
