//! What a request costs, and how much of that a client has. The table of costs stands here, by method and route.

use std::time::Duration;

use axum::http::Method;

/// What is counted, each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A link to sign in is asked for.
    SignIn,
    /// Another letter is asked for: the question whether an address is right, an invitation.
    Letter,
    /// A code out of a letter is typed.
    Code,
    /// A game is opened.
    Game,
    /// A record is played again.
    Analysis,
    /// A program writes something else.
    Write,
    /// A page does something else.
    Act,
    /// The computer is asked what it would write.
    Hint,
    /// A webhook is set up, or told something on demand.
    Webhook,
    /// A token, a link or a code opened nothing.
    Wrong,
    /// A token of an organiser opened nothing.
    Token,
}

impl Cost {
    /// All of them, in the order of the limits' table.
    pub const ALL: [Cost; 11] = [
        Cost::SignIn,
        Cost::Letter,
        Cost::Code,
        Cost::Game,
        Cost::Analysis,
        Cost::Write,
        Cost::Act,
        Cost::Hint,
        Cost::Webhook,
        Cost::Wrong,
        Cost::Token,
    ];

    /// What a request costs, by its method and the pattern of its address.
    pub fn of(method: &Method, route: &str) -> Option<Cost> {
        if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return None;
        }
        match route {
            "/sign-in" => Some(Cost::SignIn),
            "/games/{id}/{side}/address"
            | "/games/{id}/{side}/invitation/send"
            | "/me/address"
            | "/api/v1/games/{id}/{side}/address" => Some(Cost::Letter),
            "/games/{id}/code" | "/admin/sign-in" => Some(Cost::Code),
            "/games" | "/games/adopt" | "/play" | "/play/computer" | "/api/v1/games" => Some(Cost::Game),
            "/analyse" => Some(Cost::Analysis),
            "/games/{id}/{side}/days/{n}/hint" | "/api/v1/games/{id}/{side}/hint" => Some(Cost::Hint),
            "/games/{id}/{side}/webhooks"
            | "/api/v1/games/{id}/{side}/webhooks"
            | "/api/v1/games/{id}/{side}/webhooks/{hook}/test"
            | "/api/v1/games/{id}/{side}/webhooks/{hook}/events/{event}/resend" => Some(Cost::Webhook),
            route if route.starts_with("/api/") => Some(Cost::Write),
            _ => Some(Cost::Act),
        }
    }

    /// How many may come at once from one network, and after how long another one may.
    pub const fn quota(self) -> (u32, Duration) {
        match self {
            // Each makes this server call somebody, or look a name up.
            Cost::SignIn | Cost::Letter | Cost::Code | Cost::Webhook => (30, Duration::from_mins(1)),
            Cost::Game => (60, Duration::from_secs(30)),
            Cost::Analysis => (120, Duration::from_secs(1)),
            // Programs: 300 a minute, by twos and threes.
            Cost::Write => (600, Duration::from_millis(200)),
            // Each touch of a unit on the board is one, and a club has many boards.
            Cost::Act => (2_400, Duration::from_millis(50)),
            Cost::Hint => (60, Duration::from_secs(5)),
            Cost::Wrong => (300, Duration::from_secs(1)),
            Cost::Token => (20, Duration::from_secs(30)),
        }
    }

    /// The same of one token or cookie; `None` where whoever asks needs none.
    pub const fn quota_of_holder(self) -> Option<(u32, Duration)> {
        match self {
            Cost::Letter | Cost::Webhook => Some((20, Duration::from_mins(2))),
            Cost::Write | Cost::Act => Some((600, Duration::from_millis(200))),
            Cost::Hint => Some((30, Duration::from_secs(10))),
            Cost::SignIn | Cost::Code | Cost::Game | Cost::Analysis | Cost::Wrong | Cost::Token => None,
        }
    }

    /// The name by which programs are told of it.
    pub const fn name(self) -> &'static str {
        match self {
            Cost::SignIn => "sign-in",
            Cost::Letter => "letters",
            Cost::Code => "codes",
            Cost::Game => "games",
            Cost::Analysis => "analysis",
            Cost::Write => "writing",
            Cost::Act => "forms",
            Cost::Hint => "hints",
            Cost::Webhook => "webhooks",
            Cost::Wrong => "wrong-secrets",
            Cost::Token => "tokens",
        }
    }

    /// What there was too much of, as the end of a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Cost::SignIn => "links to sign in were asked for",
            Cost::Letter => "letters were asked for",
            Cost::Code => "codes were typed",
            Cost::Game => "games were opened",
            Cost::Analysis => "records were sent",
            Cost::Write => "requests were sent",
            Cost::Act => "forms were sent",
            Cost::Hint => "hints were asked for",
            Cost::Webhook => "webhooks were set up or tried",
            Cost::Wrong => "wrong tokens and links were sent",
            Cost::Token => "tokens that open nothing were sent",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A route that was renamed would cost nothing from then on.
    #[test]
    fn what_costs_is_there() {
        let (own, pages, operations) =
            (include_str!("cost.rs"), include_str!("pages/mod.rs"), include_str!("../../docs/openapi.json"));
        let of = own.split("match route {").nth(1).unwrap().split("_ => Some(Cost::Act)").next().unwrap();
        let routes: Vec<&str> = of.split('"').skip(1).step_by(2).filter(|route| *route != "/api/").collect();
        assert!(routes.len() > 8, "{routes:?}");
        for route in routes {
            let there = match route.strip_prefix("/api/v1") {
                Some(route) => operations.contains(&format!("{route}\"")),
                None => pages.contains(&format!(".route(\"{route}\"")),
            };
            assert!(there, "{route} is no route");
        }
    }

    #[test]
    fn what_is_looked_at_costs_nothing() {
        assert_eq!(Cost::of(&Method::GET, "/sign-in"), None);
        assert_eq!(Cost::of(&Method::POST, "/sign-in"), Some(Cost::SignIn));
        assert_eq!(Cost::of(&Method::POST, "/games/{id}/{side}/seal"), Some(Cost::Act), "nothing that acts is free");
        assert_eq!(Cost::of(&Method::PUT, "/api/v1/games/{id}/{side}/sheet"), Some(Cost::Write));
        assert_eq!(Cost::of(&Method::POST, "/api/v1/games"), Some(Cost::Game));
    }
}
