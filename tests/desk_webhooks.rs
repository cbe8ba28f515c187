//! The organiser's own webhooks: whose they are, and what is left of them when that token is revoked.

use fieldcommand::play::admin::{Act, Cause, NewToken, Scope};
use fieldcommand::play::webhooks::{NewWebhook, Reach, telling};

use crate::world::World;

/// Whoever is shut out of the desk hears of no game any more, also where a receiver takes its time over an answer.
#[tokio::test]
async fn a_webhook_ends_with_the_token_that_set_it_up() {
    for world in World::both().await {
        let play = world.play.clone().reaching(Reach::Private);
        let token = |name: &str| NewToken { name: name.into(), scope: Scope::Owner, days: None, person: String::new() };
        let (hans, secret_of_hans) = play.make_token(token("Hans")).await.unwrap();
        let (_, secret_of_olga) = play.make_token(token("Olga")).await.unwrap();
        let [by_hans, olga] = [play.admin(&secret_of_hans).await.unwrap(), play.admin(&secret_of_olga).await.unwrap()];
        let because = || Cause { reason: "So.".into(), ..Cause::default() };
        for (admin, path) in [(&by_hans, "hans"), (&olga, "olga")] {
            let new = NewWebhook { url: format!("http://127.0.0.1:9/{path}"), kinds: Vec::new() };
            play.act(admin, because(), Act::AddWebhook(new)).await.unwrap();
            world.wait(1);
        }
        let table = world.table().await;
        table.deploy().await;
        let mut claimed = Vec::new();
        while let Some(hook) = play.claim_webhook().await.unwrap() {
            let telling = play.next_telling(&hook).await.unwrap().unwrap();
            claimed.push((hook, telling));
        }
        assert_eq!(claimed.len(), 2);
        world.wait(1);
        play.act(&olga, because(), Act::RevokeToken { token: hans.id.clone() }).await.unwrap();
        for (hook, telling) in &claimed {
            assert!(play.told(hook, telling, telling::Answer::Status(200)).await.unwrap());
            play.release_webhook(hook).await.unwrap();
        }
        let hooks = play.desk_webhooks(&olga).await.unwrap();
        let makers: Vec<_> = hooks.iter().map(|hook| hook.maker.as_deref().unwrap()).collect();
        assert_eq!(makers, ["Hans", "Olga"]);
        assert_eq!(hooks[0].off.as_ref().unwrap().1, "the token by which it was set up was revoked");
        assert_eq!(hooks[1].off, None);
        table.day("G8-F8", "").await;
        for (hook, waits) in hooks.iter().zip([false, true]) {
            let of = format!(
                "webhook_events where delivered_at is null and given_up_at is null and webhook_id = '{}'",
                hook.id
            );
            assert_eq!(world.count(&of).await > 0, waits, "{:?}", hook.maker);
        }

        // Another owner may keep it.
        world.wait(1);
        play.act(&olga, because(), Act::TestWebhook { webhook: hooks[0].id.clone() }).await.unwrap();
        let (mut test, mut told) = (None, 0);
        while let Some(hook) = play.claim_webhook().await.unwrap() {
            if hook.id() == hooks[0].id {
                let telling = play.next_telling(&hook).await.unwrap().unwrap();
                assert!(play.told(&hook, &telling, telling::Answer::Status(204)).await.unwrap());
                test = Some(telling.id);
            }
            told += 1;
        }
        assert!(test.is_some() && told == 2);
        assert_eq!(play.desk_webhooks(&olga).await.unwrap()[0].off, None);
        world.end().await;
    }
}
