//! The words that mail programs put around quotations, under what was written and into subjects, in their languages.
//!
//! All are compared in lower case, as programs write them and not as a grammar would have them.

/// A header that stands above a quotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// Whom it is from.
    From,
    /// When it was sent.
    Date,
    /// Whom it went to.
    To,
    /// What it is about.
    Subject,
}

#[rustfmt::skip]
const FROM: &[&str] = &[
    "from", "von", "de", "da", "van", "fra", "från", "lähettäjä", "od", "от", "від", "από", "feladó", "kimden",
    "gönderen", "expéditeur", "mittente", "afzender", "absender", "remitente", "remetente", "odesílatel", "差出人",
    "送信者", "发件人", "發件人", "寄件者", "寄件人", "보낸 사람", "보낸사람", "מאת", "من", "de la",
];
#[rustfmt::skip]
const DATE: &[&str] = &[
    "sent", "date", "gesendet", "datum", "envoyé", "enviado", "enviado el", "enviada em", "enviado em", "fecha",
    "data", "inviato", "verzonden", "skickat", "skickat den", "sendt", "dato", "lähetetty", "päivämäärä", "päiväys",
    "wysłano", "wysłane", "отправлено", "дата", "надіслано", "送信日時", "送信日", "日時", "日付", "发送时间", "發送時間", "時間", "时间",
    "日期", "寄件日期", "날짜", "보낸 날짜", "보낸날짜", "odesláno", "elküldve", "dátum", "gönderildi", "tarih", "ημερομηνία",
    "στάλθηκε", "נשלח", "trimis", "poslano",
];
#[rustfmt::skip]
const TO: &[&str] = &[
    "to", "an", "à", "para", "a", "aan", "till", "til", "vastaanottaja", "do", "кому", "προς", "címzett", "kime",
    "komu", "宛先", "收件人", "받는 사람", "받는사람", "אל", "către", "empfänger", "destinataire", "destinatario",
];
#[rustfmt::skip]
const SUBJECT: &[&str] = &[
    "subject", "betreff", "objet", "asunto", "oggetto", "onderwerp", "ämne", "emne", "aihe", "temat", "assunto",
    "тема", "件名", "主题", "主題", "主旨", "제목", "předmět", "predmet", "tárgy", "konu", "θέμα", "נושא", "subiect", "sujet",
];

/// Verbs of attributions.
#[rustfmt::skip]
const WROTE: &[&str] = &[
    "wrote", "writes", "schrieb", "geschrieben", "a écrit", "écrit :", "écrit:", "escribió", "escribio",
    "va escriure", "ha scritto", "scrive", "schreef", "skrev", "kirjoitti", "napisał", "pisze", "escreveu", "написал",
    "писал", "пишет", "написав", "пише", "написа", "napsal", "napísal", "napisao", "napisal", "írta", "yazdı",
    "έγραψε", "a scris", "rašė", "rakstīja", "kirjutas", "menulis", "đã viết", "เขียน", "書きました", "のメール", "写道", "寫道",
    "작성", "썼습니다", "כתב", "كتب",
];
/// How attributions begin that are wrapped before their date.
const OPENERS: &[&str] =
    &["on ", "am ", "le ", "el ", "il ", "op ", "den ", "em ", "w dniu ", "dnia ", "в ", "στις ", "pe ", "dne "];

/// What stands between dashes above a quotation, or begins such a line.
#[rustfmt::skip]
const DIVIDERS: &[&str] = &[
    "original message", "original mail", "original email", "ursprüngliche nachricht", "ursprüngliche mail",
    "originalnachricht", "original-nachricht", "original nachricht", "message d'origine", "message d’origine",
    "message original", "mensaje original", "missatge original", "messaggio originale", "messaggio inoltrato",
    "oorspronkelijk bericht", "origineel bericht", "ursprungligt meddelande", "originalmeddelande",
    "oprindelig meddelelse", "original besked", "original meddelelse", "opprinnelig melding", "alkuperäinen viesti",
    "wiadomość oryginalna", "oryginalna wiadomość", "mensagem original", "исходное сообщение",
    "оригинальное сообщение", "пересылаемое сообщение", "původní zpráva", "eredeti üzenet", "orijinal mesaj",
    "αρχικό μήνυμα", "元のメッセージ", "元のメール", "原始邮件", "原邮件", "原始郵件", "원본 메시지", "원본 메일", "forwarded message",
    "weitergeleitete nachricht", "message transféré", "mensaje reenviado", "doorgestuurd bericht",
    "vidarebefordrat meddelande", "videresendt", "wiadomość przekazana", "転送メッセージ", "转发邮件", "reply message",
];
/// Such lines without dashes.
#[rustfmt::skip]
const BARE_DIVIDERS: &[&str] = &[
    "begin forwarded message:", "anfang der weitergeleiteten nachricht:", "anfang der weitergeleiteten e-mail:",
    "original message", "ursprüngliche nachricht", "message d'origine", "mensaje original", "messaggio originale",
    "début du message transféré :", "inizio messaggio inoltrato:", "inicio del mensaje reenviado:",
    "begin doorgestuurd bericht:",
];

/// How lines begin that a telephone or a program puts under what was written.
#[rustfmt::skip]
const SENT_FROM: &[&str] = &[
    "sent from ", "sent with ", "sent via ", "sent using ", "sent by my ", "get outlook for", "download outlook",
    "get bluemail", "von meinem ", "von meiner ", "gesendet mit ", "gesendet von ", "gesendet über ",
    "diese nachricht wurde von meinem ", "outlook für ", "envoyé de ", "envoyé depuis ", "envoyé avec ",
    "envoyé à partir ", "télécharger outlook", "obtenir outlook", "enviado desde ", "enviado de ", "enviado do ",
    "enviado con ", "enviado com ", "enviado a partir ", "obtener outlook", "obter o outlook", "inviato da ",
    "inviato con ", "ottieni outlook", "scarica outlook", "verzonden vanaf ", "verstuurd vanaf ", "verzonden met ",
    "outlook voor ", "skickat från ", "skaffa outlook", "sendt fra ", "hent outlook", "lähetetty ", "wysłane z ",
    "wysłano z ", "pobierz program outlook", "отправлено с ", "отправлено из ", "отправлено со ", "надіслано з ",
    "odesláno z ", "odoslané z ", "στάλθηκε από ", "trimis de pe ", "iphoneから送信", "ipadから送信", "発自我的", "发自我的", "發自我的",
    "发自", "從我的", "나의 iphone에서 보냄", "iphone'umdan gönderildi", "iphone’umdan gönderildi", "elküldve az iphone",
    "küldve az iphone",
];
/// How such lines end.
const SENT_WITH: &[&str] = &["から送信", "에서 보냄", "'dan gönderildi", "’dan gönderildi", "から送信。"];

/// How the subjects of absent people's programs begin.
#[rustfmt::skip]
const ABSENT: &[&str] = &[
    "automatic reply", "auto reply", "auto-reply", "autoreply", "auto response", "auto:", "autoresponse",
    "out of office", "out-of-office", "out of the office", "vacation reply", "vacation:", "on vacation", "away from",
    "i am away", "automatische antwort", "automatische rückantwort", "abwesend", "abwesenheit", "réponse automatique",
    "reponse automatique", "absence du bureau", "absent", "respuesta automática", "fuera de la oficina",
    "fuera de oficina", "risposta automatica", "fuori sede", "fuori ufficio", "automatisch antwoord",
    "automatisch bericht", "afwezig", "niet aanwezig", "autosvar", "automatiskt svar", "automatisk svar",
    "automaattinen vastaus", "poissaoloviesti", "odpowiedź automatyczna", "automatyczna odpowiedź", "autoodpowiedź",
    "resposta automática", "ausência temporária", "автоответ", "автоматический ответ", "автоматична відповідь",
    "automatická odpověď", "automatikus válasz", "otomatik yanıt", "αυτόματη απάντηση", "自動応答", "自動返信", "不在通知",
    "自动回复", "自動回覆", "자동 회신", "부재중", "undelivered mail", "undeliverable", "delivery status notification",
    "mail delivery failed", "returned mail", "failure notice", "unzustellbar", "delivery failure",
    "message undeliverable",
];

/// Whether a line divides what was written from a quotation by words.
pub(super) fn divides(line: &str) -> bool {
    // One program writes this entity into its plain texts.
    let folded = line.replace("&nbsp;", " ").trim_matches(['*', ' ']).to_lowercase();
    if BARE_DIVIDERS.contains(&folded.as_str()) {
        return true;
    }
    let dash = |c: char| matches!(c, '-' | '_' | '=' | '—' | '–');
    let words = folded.trim_start_matches(dash);
    let dashes = folded.len() - words.len();
    // A program that flows its lines puts the first header behind it.
    let ends = |rest: &str| rest.trim_matches([':', ' ']).chars().next().is_none_or(dash);
    dashes >= 2 && DIVIDERS.iter().any(|divider| words.trim_start().strip_prefix(divider).is_some_and(ends))
}

/// The header that a line is, as it stands above a quotation.
pub(super) fn header(line: &str) -> Option<Header> {
    let line = line.trim_start_matches(['*', '_', ' ', '\t']);
    let (label, _) = line.split_once([':', '：'])?;
    let label = label.trim_matches(['*', '_', ' ', '\t']).to_lowercase();
    let in_list = |words: &[&str]| words.contains(&label.as_str());
    // "Date" and "Da" are two things, and "A" is nobody: the whole label counts.
    if in_list(FROM) {
        Some(Header::From)
    } else if in_list(DATE) {
        Some(Header::Date)
    } else if in_list(SUBJECT) {
        Some(Header::Subject)
    } else if in_list(TO) {
        Some(Header::To)
    } else {
        None
    }
}

/// Whether a line says whose words follow: it ends with a colon, and names a date together with a verb or an address. Where an
/// address and a verb stand before a colon, some programs go on in the same line.
pub(super) fn attributes(line: &str) -> bool {
    let folded = line.to_lowercase();
    dated(&folded) && (attributes_undated(line) || goes_on(&folded))
}

/// Whether a line ends with a colon and has a verb or an address: with a quotation below it, it says whose words those are.
pub(super) fn attributes_undated(line: &str) -> bool {
    let line = line.trim_end_matches(['*', '_', ' ', '\t']);
    let ends = [":", "：", "写道", "寫道"].iter().any(|end| line.ends_with(end));
    let folded = line.to_lowercase();
    ends && (line.contains('@') || WROTE.iter().any(|verb| folded.contains(verb)))
}

/// Whether a line has an address, then a verb and a colon.
fn goes_on(folded: &str) -> bool {
    let Some((_, after)) = folded.split_once('@') else { return false };
    WROTE.iter().any(|verb| {
        let rest = after.split_once(verb).map(|(_, rest)| rest.trim_start_matches("(a)").trim_start());
        rest.is_some_and(|rest| rest.starts_with([':', '：']))
    })
}

/// Whether a text names a date: a year of four digits, or a time of the day.
pub(super) fn dated(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let year = |at: usize| {
        bytes.get(at..at + 2) == Some(b"20")
            && digit(at + 2)
            && digit(at + 3)
            && !digit(at + 4)
            && !(at > 0 && digit(at - 1))
    };
    let time = |at: usize| {
        matches!(bytes.get(at), Some(b':' | b'.'))
            && at > 0
            && digit(at - 1)
            && digit(at + 1)
            && digit(at + 2)
            && !digit(at + 3)
    };
    (0..bytes.len()).any(|at| year(at) || time(at))
}

/// Whether a text begins as an attribution does whose date stands on its next line.
pub(super) fn opens(text: &str) -> bool {
    let folded = text.to_lowercase();
    OPENERS.iter().any(|opener| folded.starts_with(opener))
}

/// Whether a line is one that a telephone or a program puts under what was written.
pub(super) fn sent_from(line: &str) -> bool {
    let folded = line.trim_matches(['*', '_', ' ', '(', ')']).to_lowercase();
    folded.chars().count() <= 160
        && (SENT_FROM.iter().any(|beginning| folded.starts_with(beginning))
            || SENT_WITH.iter().any(|end| folded.ends_with(end)))
}

/// Whether a subject is that of an absent person's program, or of a server that gave up.
pub(super) fn out_of_office(subject: &str) -> bool {
    let folded = subject.trim_start_matches(['[', '(', ' ']).to_lowercase();
    ABSENT.iter().any(|beginning| folded.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributions_of_many_programs_are_known() {
        for line in [
            "On Mon, Nov 30, 2026 at 10:00 AM Field Command <play@example.org> wrote:",
            "Am 30.11.26 um 10:00 schrieb Field Command:",
            "Le lun. 30 nov. 2026 à 10:00, Field Command <play@example.org> a écrit :",
            "El lun, 30 nov 2026 a las 10:00, Field Command (<play@example.org>) escribió:",
            "Il giorno lun 30 nov 2026 alle ore 10:00 Field Command <play@example.org> ha scritto:",
            "Op ma 30 nov 2026 om 10:00 schreef Field Command <play@example.org>:",
            "Den mån 30 nov. 2026 kl 10:00 skrev Field Command <play@example.org>:",
            "pon., 30 lis 2026 o 10:00 Field Command <play@example.org> napisał(a):",
            "Em seg., 30 de nov. de 2026 às 10:00, Field Command <play@example.org> escreveu:",
            "пн, 30 нояб. 2026 г. в 10:00, Field Command <play@example.org>:",
            "2026年11月30日(月) 10:00 Field Command <play@example.org>:",
            "Field Command <play@example.org> 于2026年11月30日周一 10:00写道：",
            "2026년 11월 30일 (월) 오전 10:00, Field Command <play@example.org>님이 작성:",
        ] {
            assert!(attributes(line), "{line}");
        }
        for line in [
            "SAY he wrote: nothing",
            "wrote:",
            "See you at 10:30:",
            "play@example.org:",
            "H7-F7:",
            "In 2026 I wrote more",
        ] {
            assert!(!attributes(line), "{line}");
        }
    }

    #[test]
    fn dividers_headers_and_signatures_are_known() {
        assert!(divides("-----Original Message-----") && divides("------------------ 原始邮件 ------------------"));
        assert!(divides("----- Ursprüngliche Nachricht -----") && divides("Begin forwarded message:"));
        assert!(!divides("- original message") && !divides("H7--F7") && !divides("---"));
        assert_eq!(header("*Von:* a"), Some(Header::From));
        assert_eq!(header("De : a"), Some(Header::From));
        assert_eq!(header("件名： a"), Some(Header::Subject));
        assert_eq!(header("SAY: a"), None);
        assert!(
            sent_from("Sent from my iPhone") && sent_from("iPhoneから送信") && sent_from("Von meinem iPhone gesendet")
        );
        assert!(!sent_from("SAY sent from home") && !sent_from("H7-F7"));
        assert!(out_of_office("Automatic reply: Day 5") && !out_of_office("Re: Day 5"));
    }
}
