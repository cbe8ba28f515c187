//! People, their browsers, and their going.

use fieldcommand::store::{ErasureRow, MailedLinkRow, NewLetter, SignInRow, Store, StoreError};

use super::{letter, letter_to_red};

/// An address is proven by a mailed link, which works once and not for ever; the seat's letters go there from then on.
pub(super) async fn prove(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_person("p1", "Ben@example.org", "ben@example.org", 7).await?;
                tx.insert_person("p2", "BEN@example.org", "ben@example.org", 8).await?;
                let ben = tx.person_by_address("ben@example.org").await?.unwrap();
                assert_eq!((ben.id.as_str(), ben.created_at), ("p1", 7), "an address has one person");
                assert_eq!(tx.person("p1").await?, Some(ben));
                assert_eq!(tx.person("p2").await?, None);
                let link = |id: &str| MailedLinkRow {
                    id: id.into(),
                    hash: format!("hash of {id}"),
                    purpose: "confirm".into(),
                    address: "Ben@example.org".into(),
                    address_key: "ben@example.org".into(),
                    game_id: Some("g1".into()),
                    side: Some("blue".into()),
                    person_id: None,
                    made_at: 10,
                    ends_at: 20,
                    used_at: None,
                };
                tx.insert_mailed_link(&link("m1")).await?;
                tx.insert_mailed_link(&link("m2")).await?;
                assert_eq!(tx.mailed_link("hash of m1").await?, Some(link("m1")));
                assert_eq!(tx.mailed_link_by_id("m2").await?, Some(link("m2")));
                assert_eq!(tx.count_mailed_links("ben@example.org", "confirm", 10).await?, 2);
                assert_eq!(tx.count_mailed_links("ben@example.org", "sign_in", 10).await?, 0);
                assert_eq!(tx.count_mailed_links("ben@example.org", "confirm", 11).await?, 0);
                assert!(tx.use_mailed_link("m1", 19).await?);
                assert!(!tx.use_mailed_link("m1", 19).await?, "it works once");
                assert!(!tx.use_mailed_link("m2", 20).await?, "it has ended");
                tx.forget_mailed_links(20).await?;
                assert!(tx.mailed_link_by_id("m2").await?.is_some());
                tx.forget_mailed_links(21).await?;
                assert_eq!((tx.mailed_link_by_id("m1").await?, tx.mailed_link_by_id("m2").await?), (None, None));
                tx.set_address("g1", "blue", None, Some("p1")).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.address, seat.confirmed_address.as_deref()), (None, Some("Ben@example.org")));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Ann signs in, out and in again in another browser; she changes her address, becomes one with another person, and goes.
pub(super) async fn sign_in(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_person("ann", "Ann@b.c", "ann@b.c", 20).await?;
                tx.set_address("g1", "red", None, Some("ann")).await?;
                let seats = tx.seats_of_person("ann").await?;
                assert_eq!(seats.iter().map(|seat| &*seat.side).collect::<Vec<_>>(), ["red"]);
                tx.insert_session("old", 20).await?;
                tx.hold_seat("old", "g1", "blue", 20).await?;
                tx.insert_session("new", 21).await?;
                tx.replace_session("old", "new").await?;
                assert!(!tx.session_exists("old").await?);
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, None);
                tx.sign_in_session("new", "ann", 21).await?;
                assert_eq!(tx.session_person("new").await?.unwrap().address, "Ann@b.c");
                assert_eq!(tx.sessions_of_person("ann").await?, ["new"]);
                let signed_in = SignInRow { hash: "new".into(), signed_in_at: 21 };
                assert_eq!(tx.sign_ins_of_person("ann").await?, [signed_in]);
                assert_eq!(tx.sign_ins_of_person("ben").await?, []);
                assert_eq!(
                    (tx.signed_in_before(21).await?, tx.signed_in_before(22).await?),
                    (vec![], vec!["new".into()])
                );
                tx.insert_session("idle", 20).await?;
                tx.forget_sessions(20).await?;
                assert!(tx.session_exists("idle").await?, "it is not old yet");
                tx.forget_sessions(21).await?;
                assert!(!tx.session_exists("idle").await? && tx.session_exists("new").await?);
                let held: Vec<_> = tx.held_seats("new").await?.into_iter().map(|held| held.side).collect();
                assert_eq!(held, ["blue", "red"]);
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, Some(1));
                tx.hold_seat("new", "g1", "red", 22).await?;
                tx.sign_out_session("new").await?;
                assert_eq!(tx.session_person("new").await?, None);
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, None, "what is the person's goes");
                assert_eq!(tx.holds_seat("new", "g1", "blue").await?, Some(2));
                tx.sign_in_session("new", "ann", 23).await?;
                tx.set_address("g1", "red", Some("x@y.z"), None).await?;
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, None, "a seat of another address is not held");
                tx.forget_typed_address("x@y.z").await?;
                assert_eq!(tx.seat("g1", "red").await?.unwrap().address, None);

                tx.set_person("ann", Some("Ann"), Some("{}")).await?;
                tx.set_person_address("ann", "new@b.c", "new@b.c").await?;
                let ann = tx.person_by_address("new@b.c").await?.unwrap();
                assert_eq!((ann.name.as_deref(), ann.settings.as_deref()), (Some("Ann"), Some("{}")));
                assert_eq!(tx.calendar("ann").await?.unwrap().calendar_generation, None);
                tx.open_calendar("ann", 1, "calendar").await?;
                assert_eq!(tx.calendar("ann").await?.unwrap().calendar_generation, Some(1));
                assert_eq!(tx.person_of_calendar("calendar").await?.as_deref(), Some("ann"));
                tx.shut_calendar("ann").await?;
                assert_eq!(tx.person_of_calendar("calendar").await?, None);
                assert_eq!(
                    tx.calendar("ann").await?.unwrap().calendar_generation,
                    Some(1),
                    "numbers are not used twice"
                );
                tx.insert_person("twin", "twin@b.c", "twin@b.c", 24).await?;
                tx.set_address("g1", "red", None, Some("twin")).await?;
                tx.merge_people("twin", "ann").await?;
                assert_eq!(tx.person("twin").await?, None);
                assert_eq!(tx.seat("g1", "red").await?.unwrap().person_id.as_deref(), Some("ann"));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Ann's letters are listed, one of them waits; then she is removed with the links that were mailed to her.
pub(super) async fn remove(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let link = MailedLinkRow {
                    id: "gone".into(),
                    hash: "gone hash".into(),
                    purpose: "change".into(),
                    address: "other@b.c".into(),
                    address_key: "other@b.c".into(),
                    game_id: None,
                    side: None,
                    person_id: Some("ann".into()),
                    made_at: 30,
                    ends_at: 99,
                    used_at: None,
                };
                tx.insert_mailed_link(&link).await?;
                let own = MailedLinkRow {
                    id: "own".into(),
                    hash: "own hash".into(),
                    address: "new@b.c".into(),
                    address_key: "new@b.c".into(),
                    person_id: None,
                    ..link
                };
                tx.insert_mailed_link(&own).await?;
                let asked = NewLetter {
                    id: "l9",
                    kind: "sign_in",
                    seat: None,
                    address: Some("new@b.c"),
                    about: Some("own"),
                    revision: 0,
                    now: 31,
                };
                tx.queue_letter(&asked).await?;
                tx.hold_letter("l9", 50).await?;
                tx.hold_letter("l9", 40).await?;
                assert!(tx.claim_letters(49, 60, 9, None).await?.iter().all(|letter| letter.id != "l9"));
                assert!(tx.letters_of_person("ann").await?.iter().any(|letter| letter.kind == "sign_in"));
                tx.queue_letter(&letter("l10", Some(("g1", 50, "red")))).await?;
                tx.letter_sent("l10", 1001).await?;
                let own = tx.letters_of_person("ann").await?;
                assert!(own.iter().any(|letter| letter.game_id.as_deref() == Some("g1")), "{own:?}");
                tx.end_mailed_links("ann", "change", 60).await?;
                assert_eq!(tx.mailed_link_by_id("gone").await?.unwrap().ends_at, 60);

                tx.set_seat_name("g1", "red", Some("former player")).await?;
                assert_eq!(tx.seat("g1", "red").await?.unwrap().name.as_deref(), Some("former player"));
                tx.set_address("g1", "red", None, None).await?;
                for session in tx.sessions_of_person("ann").await? {
                    tx.sign_out_session(&session).await?;
                }
                let digest = tx.open_digest("d1", "digest", "ann", "ann 2026-01-01", 32, 70).await?;
                assert_eq!(digest.as_deref(), Some("d1"));
                let again = tx.open_digest("d2", "digest", "ann", "ann 2026-01-01", 33, 70).await?;
                assert_eq!(again.as_deref(), Some("d1"), "one a day");
                for id in ["f1", "f2"] {
                    tx.queue_letter(&NewLetter { revision: 9 + i64::from(id == "f2"), ..letter_to_red(id) }).await?;
                    tx.fold_letter(id, "d1").await?;
                }
                assert_eq!(tx.folded_into("d1").await?, ["f1", "f2"]);
                let folded = tx.folded_letters("d1").await?;
                assert_eq!(folded.iter().map(|letter| &*letter.id).collect::<Vec<_>>(), ["f1", "f2"]);
                let claimed = tx.claim_letters(70, 80, 9, None).await?;
                let claimed: Vec<_> = claimed.iter().filter(|letter| letter.id != "l9").collect();
                assert_eq!(claimed.iter().map(|letter| &*letter.id).collect::<Vec<_>>(), ["d1"]);
                assert_eq!((claimed[0].person_id.as_deref(), claimed[0].ready_at), (Some("ann"), 70));
                let late = tx.open_digest("d3", "digest", "ann", "ann 2026-01-01", 71, 70).await?;
                assert_eq!(late, None, "it is on its way");
                tx.letter_sent("d1", 81).await?;
                assert!(tx.folded_letters("d1").await?.is_empty(), "they have left with it");
                assert_eq!(tx.folded_into("d1").await?.len(), 2, "and may come back with it");
                tx.open_digest("d4", "digest", "ann", "ann 2026-01-02", 82, 90).await?;
                tx.queue_letter(&NewLetter { revision: 11, ..letter_to_red("f3") }).await?;
                tx.fold_letter("f3", "d4").await?;
                tx.delete_person("ann").await?;
                assert!(tx.folded_letters("d4").await?.is_empty(), "they go too");
                assert_eq!((tx.person("ann").await?, tx.mailed_link_by_id("gone").await?), (None, None));
                assert_eq!(tx.mailed_link_by_id("own").await?, None);
                assert!(tx.claim_letters(99, 100, 9, None).await?.iter().all(|letter| letter.id != "l9"));

                let erasure = ErasureRow { person_id: "ann".into(), erased_at: 70 };
                tx.keep_erasure(&erasure).await?;
                tx.keep_erasure(&ErasureRow { erased_at: 71, ..erasure.clone() }).await?;
                assert_eq!(tx.erasures_since(70).await?, [erasure]);
                assert_eq!(tx.erasures_since(71).await?, []);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Codes are typed: three wrong ones, a right one, and after an hour it begins anew.
pub(super) async fn type_codes(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                for tries in 1..=3 {
                    assert_eq!(tx.count_code_try("g1", 0, 100).await?, tries);
                }
                tx.forgive_code_try("g1").await?;
                assert_eq!(tx.count_code_try("g1", 99, 199).await?, 3);
                assert_eq!(tx.count_code_try("no game", 99, 199).await?, 1);
                assert_eq!(tx.count_code_try("g1", 100, 200).await?, 1);
                Ok(())
            })
        })
        .await
        .unwrap();
}
