//! Letters, and mails that come.

use fieldcommand::store::{Letter, MailedLinkRow, NewLetter, OutboxPulse, Store, StoreError};

use super::letter;

/// Letters are queued once, claimed by one worker, and sent, delayed or given up.
pub(super) async fn letters(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                for (id, side) in [("l1", "red"), ("l2", "blue"), ("again", "red")] {
                    tx.queue_letter(&letter(id, Some(("g1", 0, side)))).await?;
                }
                assert_eq!(tx.letters_waiting().await?, (2, Some(1000)));
                let pulse = OutboxPulse { number: 2, oldest: Some(1000), untried: Some(1000) };
                assert_eq!(tx.outbox_pulse(1000).await?, pulse);
                assert_eq!(tx.outbox_pulse(999).await?.untried, None, "it is not due yet");
                assert_eq!(tx.letters_due(999, 9).await?, 0);
                assert_eq!(tx.letters_due(1000, 9).await?, 2);
                assert_eq!(tx.letters_due(1000, 1).await?, 1);
                let claimed = tx.claim_letters(1000, 2000, 1, None).await?;
                assert_eq!(claimed.len(), 1);
                assert_eq!(
                    tx.claim_letters(1500, 2500, 10, None).await?.len(),
                    1,
                    "what is claimed is not claimed again"
                );
                assert_eq!(tx.claim_letters(2000, 3000, 10, None).await?.len(), 1, "a claim ends by itself");
                tx.letter_sent("l1", 2100).await?;
                tx.letter_delayed("l2", 5000, "451 try later").await?;
                assert_eq!(tx.letters_due(4999, 9).await?, 0);
                let again = tx.claim_letters(5000, 6000, 10, None).await?;
                assert_eq!((again[0].id.as_str(), again[0].attempts >= 2), ("l2", true));
                tx.letter_failed("l2", 5100, "550 no such user").await?;
                assert_eq!(tx.letters_waiting().await?, (0, None));
                assert_eq!(tx.claim_letters(9999, 10_999, 10, None).await?, []);
                // Letters to a bare address are told apart by their ids alone.
                for id in ["l3", "l4"] {
                    tx.queue_letter(&NewLetter { address: Some("a@b.c"), about: Some(id), ..letter(id, None) }).await?;
                }
                let bare = tx.claim_letters(1000, 2000, 10, None).await?;
                assert!(
                    bare.iter().all(|letter| letter.address.as_deref() == Some("a@b.c") && letter.game_id.is_none())
                );
                assert_eq!(bare.iter().filter_map(|letter| letter.about.as_deref()).count(), 2);
                let bare = |letters: Vec<(String, String)>| letters.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
                assert_eq!(bare(tx.bare_letters().await?).len(), 2);
                tx.letter_sent("l3", 1).await?;
                assert_eq!(bare(tx.bare_letters().await?), ["l4"], "no address stays on what has left");
                tx.letter_failed("l4", 1, "550").await?;
                assert_eq!(tx.bare_letters().await?, []);
                tx.queue_letter(&NewLetter { address: Some("a@b.c"), ..letter("l5", None) }).await?;
                tx.drop_letter("l5").await?;
                assert_eq!((tx.bare_letters().await?, tx.letters_waiting().await?), (vec![], (0, None)));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Letters of Blue's seat, which is Ben's, form a thread; some come back, until none leave, and then they leave again.
pub(super) async fn letters_back(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                for (id, turn) in [("m1", 10), ("m2", 11), ("m3", 12)] {
                    tx.queue_letter(&letter(id, Some(("g1", turn, "blue")))).await?;
                }
                assert_eq!(tx.thread_of_letter("m1").await?, (None, None), "what was given up is in no thread");
                assert_eq!(tx.thread_of_letter("m3").await?, (Some("m1".into()), Some("m2".into())));
                let claimed = tx.claim_letters(1000, 2000, 1, None).await?.remove(0);
                assert_eq!(claimed.claimed_until, Some(2000));
                assert!(tx.renew_claim(&claimed, 3000, None).await?);
                assert!(!tx.renew_claim(&claimed, 4000, None).await?, "the claim is another one now");
                tx.release_letter(&claimed).await?;
                assert_eq!(tx.letters_due(2500, 9).await?, 2, "who has no claim gives nothing back");
                let claimed = Letter { claimed_until: Some(3000), ..claimed };
                tx.release_letter(&Letter { claimed_by: Some("another".into()), ..claimed.clone() }).await?;
                assert_eq!(tx.letters_due(2500, 9).await?, 2, "nor does another process");
                tx.release_letter(&claimed).await?;
                assert_eq!(tx.letters_due(2500, 9).await?, 3);

                for id in ["m1", "m2", "m3"] {
                    tx.letter_sent(id, 2600).await?;
                    tx.letter_delayed(id, 9000, "too late").await?;
                    tx.letter_failed(id, 9000, "too late").await?;
                }
                assert_eq!(tx.letters_waiting().await?, (0, None), "what was sent stays sent");
                tx.letter_returned("m1", 2700, false, "4.2.2 full").await?;
                tx.letter_returned("m2", 2700, true, "5.1.1 nobody").await?;
                tx.letter_returned("m2", 2800, false, "later").await?;
                let back = tx.returned_letter("m2").await?.unwrap();
                assert_eq!((back.side.as_deref(), back.person_id.as_deref()), (Some("blue"), Some("p1")));
                assert_eq!(back.returned_hard_at, Some(2700));
                assert_eq!(tx.letters_come_back("g1", "blue", "p1", 1000).await?, 1);
                assert_eq!(tx.letters_come_back("g1", "blue", "p1", 1001).await?, 0);
                let lines = tx.letters_of_seat("g1", "blue", 9).await?;
                assert_eq!(lines.iter().filter(|line| line.returned_at.is_some()).count(), 2);
                assert_eq!(tx.letters_of_seat("g1", "red", 9).await?, [], "Red's seat is nobody's yet");

                tx.stop_letters("g1", "blue", 3000).await?;
                tx.bar_letters("g1", "blue", 3001).await?;
                tx.stop_letters("g1", "blue", 3002).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.letters_off_at, seat.letters_back_at), (Some(3000), Some(3001)));
                tx.resume_letters("g1", "blue", 3003).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.letters_off_at, seat.letters_back_at, seat.letters_since), (None, None, Some(3003)));
                tx.bar_letters("g1", "blue", 3004).await?;
                tx.resume_letters_of_person("p1", 3005).await?;
                assert_eq!(tx.seat("g1", "blue").await?.unwrap().letters_back_at, None);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Mail that comes in: a mail is known again, a question ends with its turn, an answer is erased with its letter, and an
/// address is allowed by the link that asked about it.
pub(super) async fn mail_in(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert_eq!(tx.mail_seen("g1", "red", "h1").await?, None);
                tx.insert_mail_seen("g1", "red", "h1", "answered", 10).await?;
                tx.insert_mail_seen("g1", "blue", "h1", "held", 10).await?;
                assert_eq!(tx.mail_seen("g1", "red", "h1").await?.as_deref(), Some("answered"));
                assert_eq!((tx.count_mail("g1", "red", 9).await?, tx.count_mail("g1", "red", 10).await?), (1, 0));

                assert_eq!(tx.mail_of_seat("g1", "blue").await?, [("held".to_owned(), 10)]);

                tx.keep_question("g1", "red", 3, "resign", 10).await?;
                tx.keep_question("g1", "red", 3, "seal", 11).await?;
                assert_eq!(tx.own_question("g1", "red", 3).await?, Some(("seal".into(), 11)));
                assert_eq!(
                    (tx.own_question("g1", "red", 4).await?, tx.own_question("g1", "blue", 3).await?),
                    (None, None)
                );
                tx.erase_question("g1", "red").await?;
                tx.keep_question("g1", "blue", 3, "seal", 11).await?;
                tx.erase_questions("g1").await?;
                assert_eq!(tx.own_question("g1", "blue", 3).await?, None);

                let number = tx.last_mail_answer("g1", "red").await? + 1;
                tx.keep_mail_answer("g1", "red", number, Some("<a@b>"), "body").await?;
                let letter = NewLetter {
                    id: "answer",
                    kind: "mail_answer",
                    seat: Some(("g1", 3, "red")),
                    address: None,
                    about: None,
                    revision: number,
                    now: 10,
                };
                tx.queue_letter(&letter).await?;
                assert_eq!(tx.last_mail_answer("g1", "red").await?, number);
                assert_eq!(tx.seat_letter_queued_at("g1", "red", "answer").await?, Some(10));
                assert_eq!(tx.seat_letter_queued_at("g1", "blue", "answer").await?, None);
                assert_eq!(tx.readers_of_kind("g1", 3, "red", "mail_answer").await?.len(), 1);
                assert_eq!(tx.readers_of_kind("g1", 4, "red", "mail_answer").await?, []);
                let kept = Some((Some("<a@b>".to_owned()), "body".to_owned()));
                assert_eq!(tx.mail_answer("g1", "red", number).await?, kept);
                tx.erase_mail_answer("another letter").await?;
                assert_eq!(tx.mail_answer("g1", "red", number).await?, kept);
                tx.erase_mail_answer("answer").await?;
                assert_eq!(tx.mail_answer("g1", "red", number).await?, None);
                tx.letter_sent("answer", 11).await?;

                let link = |id: &str| MailedLinkRow {
                    id: id.into(),
                    hash: format!("hash of {id}"),
                    purpose: "allow".into(),
                    address: "ben@example.org".into(),
                    address_key: "ben@example.org".into(),
                    game_id: Some("g1".into()),
                    side: Some("blue".into()),
                    person_id: None,
                    made_at: 10,
                    ends_at: 20,
                    used_at: None,
                };
                for id in ["allow 1", "allow 2"] {
                    tx.insert_mailed_link(&link(id)).await?;
                    tx.ask_about_sender(id, "g1", "blue", 1, "work@example.org").await?;
                }
                assert_eq!(tx.mail_sender("g1", "blue", 1, "work@example.org").await?, Some(None));
                assert_eq!(tx.sender_of_link("allow 1").await?, None, "the last link counts");
                tx.ask_about_sender("a link that is gone", "g1", "blue", 1, "old@example.org").await?;
                tx.forget_unanswered_senders().await?;
                assert_eq!(tx.mail_sender("g1", "blue", 1, "old@example.org").await?, None);
                assert_eq!(tx.sender_of_link("allow 2").await?.as_deref(), Some("work@example.org"));
                assert!(!tx.allow_sender("allow 1", 12).await? && tx.allow_sender("allow 2", 12).await?);
                assert_eq!(tx.mail_sender("g1", "blue", 1, "work@example.org").await?, Some(Some(12)));
                assert_eq!(
                    tx.mail_sender("g1", "blue", 2, "work@example.org").await?,
                    None,
                    "another holder is asked anew"
                );
                let allowed = [("work@example.org".to_owned(), Some(12))];
                assert_eq!(tx.senders_of_seat("g1", "blue", 1).await?, allowed);
                tx.forget_senders_of_ended(i64::MAX).await?;
                assert_eq!(tx.senders_of_seat("g1", "blue", 1).await?, allowed, "the game goes on");
                tx.forget_mail("g1", "blue").await?;
                assert_eq!(tx.mail_sender("g1", "blue", 1, "work@example.org").await?, None);
                Ok(())
            })
        })
        .await
        .unwrap();
}
