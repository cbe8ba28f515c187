//! Letters as files, and the links in them.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use fieldcommand::mail::{Answers, Sender, Transport};
use fieldcommand::play::{Play, PlayError, Secret};
use fieldcommand::runner::outbox::send_due;
use tokio_util::sync::CancellationToken;

/// Counts folders, so that every letter is read once.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Sends what is due into a folder, and gives the text of each letter, oldest first.
pub async fn letters(play: &Play, folder: &Path) -> Vec<String> {
    let (sent, letters) = send(play, folder).await;
    sent.unwrap();
    letters
}

/// The same where it may be that not all can leave.
pub async fn letters_so_far(play: &Play, folder: &Path) -> Vec<String> {
    send(play, folder).await.1
}

async fn send(play: &Play, folder: &Path) -> (Result<usize, PlayError>, Vec<String>) {
    let sender = Sender {
        from: "Field Command <play@example.org>".parse().unwrap(),
        public_url: "https://play.example.org".into(),
        answers: Some(Answers::parse("play@example.org").unwrap()),
    };
    let folder = folder.join(format!("letters-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
    let sent = send_due(play, &sender, &Transport::Folder(folder.clone()), &CancellationToken::new()).await;
    let Ok(entries) = fs::read_dir(&folder) else { return (sent, Vec::new()) };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    (sent, files.iter().map(|file| words(file)).collect())
}

/// The words of a letter. Its picture is left out: in base 64 anything may stand, a link too.
fn words(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap().replace("\r\n", "\n").replace("=\n", "");
    text.split("Content-Type: image/png").next().unwrap().to_owned()
}

/// The secret of the mailed link in a letter.
pub fn mailed_link(letter: &str) -> Option<Secret> {
    let (_, rest) = letter.split_once("/m/")?;
    Some(Secret::sent(rest.get(..26)?))
}

/// Follows every mailed link that is due, and sends what is due then: the letters that say what is awaited.
pub async fn confirm_all(play: &Play, folder: &Path) {
    follow_all(play, folder).await;
    letters(play, folder).await;
}

/// Follows every mailed link that is due.
pub async fn follow_all(play: &Play, folder: &Path) {
    for letter in letters(play, folder).await {
        if let Some(secret) = mailed_link(&letter) {
            play.follow(&secret).await.unwrap();
        }
    }
}

/// The code in a letter about a game.
pub fn code(letter: &str) -> Option<String> {
    let (_, rest) = letter.split_once("within 7 days: ")?;
    Some(rest.get(..9)?.to_owned())
}

/// A server's letters so far, oldest first, once there are `number`.
pub async fn letters_of(data: &Path, number: usize) -> Vec<String> {
    for _ in 0..200 {
        let entries = fs::read_dir(data.join("mail")).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "eml")).collect();
        if files.len() >= number {
            // Their names tell nothing while the clock stands still.
            files.sort_by_key(|file| fs::metadata(file).unwrap().modified().unwrap());
            return files.iter().map(|file| words(file)).collect();
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{number} letters do not come");
}
