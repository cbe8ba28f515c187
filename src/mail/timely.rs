//! The words of letters about a game's time, and about offers that stand until a turn is over.

use crate::mail::words::{Link, Reply, Shows, Words, about_seat, name, seat_page};
use crate::play::agree::OfferKind;
use crate::play::deadline::usable;
use crate::play::letters::TimeMatter;
use crate::play::terms::MissingDeployment;
use crate::play::view::SeatView;
use crate::play::wishes::Wishes;

/// A letter about a game's time or offers.
pub(super) fn timely(view: &SeatView, matter: TimeMatter, wishes: &Wishes, public_url: &str) -> Words {
    let (what, asked, link) = of_time(view, matter, wishes, public_url);
    let sheet = matches!(matter, TimeMatter::Reminder | TimeMatter::Nudge);
    Words {
        link: Some(Link { address: link, button: "Look and answer" }),
        chapters: if sheet { view.standing.roll() } else { Vec::new() },
        board: sheet.then_some(Shows::Now),
        reply: match matter {
            TimeMatter::Offer(OfferKind::Draw) => Reply::Draw,
            _ if sheet => Reply::Sheet,
            _ => Reply::Ask,
        },
        ..about_seat(view, &what, asked, public_url)
    }
}

/// What a letter about a game's time or offers is about, what is asked, and where it is answered.
pub(super) fn of_time(
    view: &SeatView,
    matter: TimeMatter,
    wishes: &Wishes,
    public_url: &str,
) -> (String, String, String) {
    let (turn, other) = (view.standing.turn_name(), view.side.other().name());
    let due = || view.due.map_or_else(|| "later".to_owned(), |due| wishes.moment(due));
    let page = seat_page(view, public_url);
    match matter {
        TimeMatter::Reminder => (
            format!("{turn} is due {}", due()),
            format!("You have sealed nothing for it yet. {}", if_it_stays_so(view)),
            page.clone(),
        ),
        TimeMatter::Nudge => (
            format!("{turn} still waits"),
            "Nothing has moved in this game for 14 days, and it waits for you. After 60 days either side may close it."
                .to_owned(),
            page.clone(),
        ),
        TimeMatter::PutOff => (
            format!("{turn} is due later, {}", due()),
            "The server was down when the turn was to be due, so everybody has more time.".to_owned(),
            page.clone(),
        ),
        TimeMatter::GoesOn => (
            match view.due {
                Some(_) => format!("the game goes on; {turn} is due {}", due()),
                None => format!("the game goes on; {turn} is open"),
            },
            "The server was moved, or brought back from a backup. Letters that had not left were dropped, addresses for \
             answers in older letters are not good any more, and the turn has its whole time again. What you wrote shortly \
             before may be missing: please look whether your sheet is there."
                .to_owned(),
            page.clone(),
        ),
        TimeMatter::ClaimOpen => (
            format!("{other} stays away"),
            format!(
                "{other} has missed as many turns as this game allows. You may end it, wait, or seek a substitute, on \
                 the page that is linked here."
            ),
            format!("{page}/absent"),
        ),
        TimeMatter::SubstituteCame => (
            format!("{other}’s seat is taken"),
            format!(
                "{} has taken the seat that was free and plays on as {other}. {}",
                name(view, view.side.other()),
                match view.due {
                    Some(due) => format!("A whole turn’s time runs from now: {turn} is due {}.", wishes.moment(due)),
                    None => format!("{turn} is open."),
                }
            ),
            page.clone(),
        ),
        TimeMatter::WebhookOff => (
            "Your webhook was switched off".to_owned(),
            format!(
                "Your program has taken nothing that it was told about this game for days, or has said that it wants nothing \
                 more. So it is told nothing now, and what waited was given up. {}A test that it takes switches the webhook \
                 on again.",
                if view.ended.is_none() { "The game goes on. " } else { "" }
            ),
            page.clone(),
        ),
        TimeMatter::PauseOffer => (
            format!("{other} offers a pause"),
            match view.time.offer {
                Some(offer) => {
                    format!(
                        "Nothing would be due until {}. Accept it or decline it, on the page that is linked here. Until then \
                         the game goes on, and {turn} is due {}.",
                        wishes.moment(offer.until),
                        due()
                    )
                }
                None => "It has been answered or withdrawn meanwhile.".to_owned(),
            },
            format!("{page}/time"),
        ),
        TimeMatter::Offer(OfferKind::Draw) => (
            format!("{other} offers a draw"),
            format!(
                "The offer stands until {turn} is resolved. Accept it or decline it; playing on declines it too. {turn} is due {}.",
                due()
            ),
            format!("{page}/draw"),
        ),
        TimeMatter::Offer(OfferKind::Continue) => (
            format!("{other} offers to go on from an earlier day"),
            format!(
                "If you accept, this game ends without a result, and a new one with the same seats begins at an earlier dawn. \
                 The offer stands until {turn} is resolved; the page that is linked here tells which dawn, and there it is \
                 accepted or declined."
            ),
            format!("{page}/continue"),
        ),
    }
}

/// What is used of a seat that seals nothing more, in a sentence.
fn if_it_stays_so(view: &SeatView) -> String {
    let form = view.standing.entry_form(view.side);
    let draft = view.draft.as_deref().filter(|_| !view.time.withheld);
    match draft.and_then(|draft| usable(&view.standing, view.side, draft)) {
        Some(sheet) => {
            format!("If it stays so, your draft is used: {}.", view.standing.check(view.side, &sheet).measure)
        }
        None if form.empty.is_some() && view.time.withheld => {
            "If it stays so, an empty list is used and not your draft; that counts as late.".to_owned()
        }
        None if form.empty.is_some() => {
            "If it stays so, an empty list is used, and the turn counts as missed.".to_owned()
        }
        None => match view.time.terms.missing_deployment {
            MissingDeployment::Void => "If it stays so, the game is void.".to_owned(),
            MissingDeployment::ReadyMade => "If it stays so, a ready-made one is used.".to_owned(),
        },
    }
}
