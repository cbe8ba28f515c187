//! What a moment remembers: it shows what asking each time shows.

use std::collections::BTreeSet;
use std::fmt::Debug;

use fieldcommand::store::{AbsenceRow, DraftRow, NoteRow, OfferRow, Reader, ReissueRow, Store, StoreError};

/// All that is asked once in a moment, or not at all where it is known that there is none: by kind, what of, and what it is.
type Shown = Vec<(&'static str, String, String)>;

/// The sessions of the story.
const SESSIONS: [&str; 2] = ["remembered", "nobody"];

async fn all(tx: &mut Reader) -> Result<Shown, StoreError> {
    let mut shown = Vec::new();
    let mut show = |kind: &'static str, about: &str, row: &dyn Debug| {
        shown.push((kind, about.to_owned(), format!("{row:?}")));
    };
    for id in tx.game_ids("", 100).await?.into_iter().chain(["none".into()]) {
        let game = id.as_str();
        // Those that others are taken from come last, so that each is asked for by itself outside of a moment.
        show("company", game, &tx.company(game).await?);
        show("device", game, &tx.device(game).await?);
        show("absences", game, &tx.absences(game).await?);
        show("offers", game, &tx.offers(game).await?);
        show("acts", game, &tx.acts_on_game(game).await?);
        show("organisers", game, &tx.admins_at(game, 0).await?);
        for side in ["red", "blue"] {
            let seat = format!("{game} {side}");
            show("seat", &seat, &tx.seat(game, side).await?);
            show("seal", &seat, &tx.seal(game, side).await?);
            show("draft", &seat, &tx.own_draft(game, side).await?.map(|draft| (draft.turn, draft.body)));
            show("kept", &seat, &tx.own_kept(game, side).await?.map(|kept| kept.body));
            let notes: Vec<_> =
                tx.own_notes(game, side).await?.into_iter().map(|note| (note.about, note.body)).collect();
            show("notes", &seat, &notes);
            show("reissue", &seat, &tx.reissue(game, side).await?);
        }
        show("seats", game, &tx.seats(game).await?);
        show("game", game, &tx.game(game).await?);
    }
    for hash in SESSIONS {
        show("session's person", hash, &tx.session_person(hash).await?);
        show("held seats", hash, &tx.held_seats(hash).await?);
    }
    Ok(shown)
}

/// Of each kind something, in a game that has ended.
async fn keep(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let (side, reason, made_at) = (|| "red".to_owned(), "lost".to_owned(), 1);
                let draft = DraftRow { turn: 1, body: "a draft".into(), saved_at: 1, withheld_at: None };
                tx.keep_draft("g1", "red", &draft).await?;
                let note = NoteRow { about: "1".into(), body: "a note".into(), saved_at: 1 };
                tx.keep_note("g1", "red", &note).await?;
                tx.keep_absence("g1", &AbsenceRow { side: side(), from_at: 7, until_at: 9 }, 1).await?;
                let offer = OfferRow { kind: "draw".into(), side: side(), turn: 1, from_turn: None, made_at };
                assert!(tx.make_offer("g1", &offer).await?);
                let reissue = ReissueRow { side: side(), address: "new@example.org".into(), reason, asked_at: 1 };
                tx.ask_reissue("g1", &reissue).await?;
                tx.seal_sheet("g1", &super::sheet("red", 1, "a sheet")).await?;
                tx.insert_person("moment", "moment@example.org", "moment@example.org", 1).await?;
                tx.insert_session("remembered", 1).await?;
                tx.sign_in_session("remembered", "moment", 1).await?;
                tx.hold_seat("remembered", "g1", "red", 1).await
            })
        })
        .await
        .unwrap();
}

/// What a moment shows, also when it is asked again, is what is shown without one.
pub(super) async fn remember(store: &Store) {
    let read = async || store.read(|tx| Box::pin(all(tx))).await.unwrap();
    let compare = async || {
        let (asked, (first, again)) = (read().await, store.at_one_moment(async { (read().await, read().await) }).await);
        assert_eq!(first, asked);
        assert_eq!(again, asked);
        asked
    };
    compare().await;
    keep(store).await;
    let shown = compare().await;
    let kinds: BTreeSet<_> = shown.iter().map(|(kind, ..)| kind).collect();
    let there: BTreeSet<_> =
        shown.iter().filter(|(_, _, row)| row != "None" && row != "[]").map(|(kind, ..)| kind).collect();
    assert_eq!(there, kinds, "of each kind there is something");
}

/// By one statement, the same is looked up.
pub(super) async fn look_up(store: &Store) {
    let seat = async || store.look_up(|tx| Box::pin(async move { tx.seat("g1", "red").await })).await.unwrap();
    let (alone, within) = (seat().await.unwrap(), store.at_one_moment(seat()).await.unwrap());
    assert_eq!((alone.name, alone.link_hash), (within.name, within.link_hash));
    let refused = store.look_up(|_| Box::pin(async { Err::<(), _>(StoreError::from(sqlx::Error::RowNotFound)) })).await;
    assert!(refused.is_err());
    assert!(seat().await.is_some(), "its connection is as good as before");
}
