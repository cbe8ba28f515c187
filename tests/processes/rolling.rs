//! Two processes behind a proxy are restarted one after the other, under load: no request fails.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use reqwest::Client;
use tokio_util::sync::CancellationToken;

use crate::world::cluster::Cluster;
use crate::world::{new_game, number};

/// What a proxy knows: where requests may go.
type Ready = Arc<RwLock<Vec<String>>>;

/// Asks each process every 100 ms whether it is ready, as a proxy does.
async fn watch(urls: Vec<String>, ready: Ready, stop: CancellationToken) {
    let client = Client::new();
    while !stop.is_cancelled() {
        let mut found = Vec::new();
        for url in &urls {
            let asked = client.get(format!("{url}/health/ready")).timeout(Duration::from_secs(2)).send().await;
            if asked.is_ok_and(|answer| answer.status().is_success()) {
                found.push(url.clone());
            }
        }
        *ready.write().unwrap() = found;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Sends requests to those that are ready, one after the other, over connections that are kept.
async fn load(game: String, token: String, ready: Ready, stop: CancellationToken, sent: Arc<AtomicU64>) -> Vec<String> {
    let (client, mut failed) = (Client::new(), Vec::new());
    for at in 0_usize.. {
        if stop.is_cancelled() {
            break;
        }
        let url = {
            let ready = ready.read().unwrap();
            ready.get(at % ready.len().max(1)).cloned()
        };
        let Some(url) = url else {
            failed.push("nobody is ready".to_owned());
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let request = if at % 3 == 0 {
            let sheet = serde_json::json!({"turn": 0, "text": crate::world::deployment(fieldcommand::rules::Side::Red, "hook")});
            client.put(format!("{url}/api/v1/games/{game}/red/sheet")).json(&sheet)
        } else {
            client.get(format!("{url}/api/v1/games/{game}/red"))
        };
        match request.bearer_auth(&token).timeout(Duration::from_secs(10)).send().await {
            Ok(answer) if answer.status().is_success() => {
                if let Err(error) = answer.bytes().await {
                    failed.push(format!("{error:?}"));
                }
            }
            Ok(answer) => failed.push(answer.status().to_string()),
            Err(error) => failed.push(format!("{error:?}")),
        }
        sent.fetch_add(1, Ordering::Relaxed);
    }
    failed
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_fails_while_processes_are_restarted() {
    let mut cluster = Cluster::whole(2, &["--drain", "1"]).await;
    let play = cluster.play();
    let opened = play.open(new_game(12, "")).await.unwrap();
    play.take_seat(&opened.invitation, "Ben").await.unwrap();
    let (ready, stop, sent) = (Ready::default(), CancellationToken::new(), Arc::new(AtomicU64::new(0)));
    let proxy = tokio::spawn(watch(cluster.urls(), Arc::clone(&ready), stop.clone()));
    let until = async |number: usize| {
        for _ in 0..300 {
            if ready.read().unwrap().len() == number {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{:?} are ready, not {number}", ready.read().unwrap());
    };
    until(2).await;
    let (game, token) = (opened.game.to_string(), opened.link.reveal().to_owned());
    let clients: Vec<_> = (0..4)
        .map(|_| tokio::spawn(load(game.clone(), token.clone(), Arc::clone(&ready), stop.clone(), Arc::clone(&sent))))
        .collect();
    let rounds = number("FIELDCOMMAND_ROLLS", 1);
    for _ in 0..rounds {
        for at in 0..2 {
            cluster.members[at].stop().await;
            until(1).await;
            cluster.members[at].start().await;
            until(2).await;
        }
    }
    stop.cancel();
    let mut failed = Vec::new();
    for client in clients {
        failed.extend(client.await.unwrap());
    }
    proxy.await.unwrap();
    let sent = sent.load(Ordering::Relaxed);
    assert!(failed.is_empty(), "{} of {sent} requests failed: {:?}", failed.len(), &failed[..failed.len().min(5)]);
    assert!(sent > 20 * rounds, "{sent}");
    println!("{sent} requests over {} restarts, none failed", 2 * rounds);
    cluster.end().await;
}
