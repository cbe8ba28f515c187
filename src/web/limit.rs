//! How much of what costs or guesses comes from one client: letters asked for, codes typed, games opened, what programs
//! write.
//!
//! A client is an IPv4 address, or a /64 network of IPv6: whoever has one of its addresses has them all. The limits are wide enough for a
//! club behind one address; they stop programs. Each process counts for itself, in memory, and a restart forgets.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::Clock;
use crate::web::error::PageError;
use crate::web::{WebState, api};

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// What is counted, each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cost {
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
}

impl Cost {
    /// All of them, in the order of [`Table::limiters`].
    const ALL: [Cost; 6] = [Cost::SignIn, Cost::Letter, Cost::Code, Cost::Game, Cost::Analysis, Cost::Write];

    /// What a request costs, by its method and the pattern of its address.
    fn of(method: &Method, route: &str) -> Option<Cost> {
        if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return None;
        }
        match route {
            "/sign-in" => Some(Cost::SignIn),
            "/games/{id}/{side}/address"
            | "/games/{id}/{side}/invitation/send"
            | "/me/address"
            | "/api/v1/games/{id}/{side}/address" => Some(Cost::Letter),
            "/games/{id}/code" => Some(Cost::Code),
            "/games" | "/games/adopt" | "/play" | "/play/computer" | "/api/v1/games" => Some(Cost::Game),
            "/analyse" => Some(Cost::Analysis),
            route if route.starts_with("/api/") => Some(Cost::Write),
            _ => None,
        }
    }

    /// How many may come at once, and in how many seconds another one may.
    const fn quota(self) -> (u32, u64) {
        match self {
            Cost::SignIn | Cost::Letter => (30, 60),
            Cost::Code => (30, 60),
            Cost::Game => (60, 30),
            Cost::Analysis => (120, 1),
            // Programs: 300 a minute, by twos and threes.
            Cost::Write => (600, 0),
        }
    }

    /// What there was too much of, as the end of a sentence.
    const fn words(self) -> &'static str {
        match self {
            Cost::SignIn => "links to sign in were asked for",
            Cost::Letter => "letters were asked for",
            Cost::Code => "codes were typed",
            Cost::Game => "games were opened",
            Cost::Analysis => "records were sent",
            Cost::Write => "requests were sent",
        }
    }
}

/// The server's clock, for counting.
struct Steady(Clock);

impl governor::clock::Clock for Steady {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.steady()
    }
}

type Limiter = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, Steady, NoOpMiddleware<Duration>>;

/// The counts of all clients.
struct Table {
    limiters: [Limiter; Cost::ALL.len()],
    clock: Clock,
    checks: AtomicU32,
}

/// After how many checks clients that have their whole share again are forgotten.
const FORGET: u32 = 1024;

/// The limits of a server. Cheap to clone.
#[derive(Clone)]
pub struct Limits {
    table: Option<Arc<Table>>,
    hops: usize,
    warned: Arc<AtomicBool>,
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("on", &self.table.is_some()).field("hops", &self.hops).finish_non_exhaustive()
    }
}

impl Limits {
    /// Counts by a clock, behind so many proxies of the organiser's.
    #[must_use]
    pub fn on(clock: &Clock, hops: u8) -> Limits {
        let limiter = |cost: Cost| {
            let (most, seconds) = cost.quota();
            let most = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
            let each = if seconds == 0 { Duration::from_millis(200) } else { Duration::from_secs(seconds) };
            let quota = Quota::with_period(each).unwrap_or(Quota::per_second(most)).allow_burst(most);
            RateLimiter::dashmap_with_clock(quota, Steady(clock.clone()))
        };
        let table = Table { limiters: Cost::ALL.map(limiter), clock: clock.clone(), checks: AtomicU32::new(0) };
        Limits { table: Some(Arc::new(table)), hops: usize::from(hops), warned: Arc::default() }
    }

    /// Counts nothing.
    #[must_use]
    pub fn off() -> Limits {
        Limits { table: None, hops: 0, warned: Arc::default() }
    }

    /// Counts a request. Gives how long to wait, if there were too many.
    fn check(&self, cost: Cost, client: IpAddr) -> Result<(), Duration> {
        let Some(table) = &self.table else { return Ok(()) };
        let Some((_, limiter)) = Cost::ALL.into_iter().zip(&table.limiters).find(|(each, _)| *each == cost) else {
            return Ok(());
        };
        if table.checks.fetch_add(1, Ordering::Relaxed) % FORGET == FORGET - 1 {
            table.limiters.iter().for_each(RateLimiter::retain_recent);
        }
        limiter.check_key(&client).map_err(|later| later.wait_time_from(table.clock.steady()))
    }

    /// Who asks: the address of the connection, or behind proxies the one that the outermost of them has seen.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if self.hops == 0 {
            if headers.contains_key("x-forwarded-for") && !self.warned.swap(true, Ordering::Relaxed) {
                tracing::warn!(
                    "requests come with X-Forwarded-For, which is not looked at: behind a proxy, set --trusted-hops 1"
                );
            }
            return network(peer);
        }
        // Each proxy adds at the end whom it has seen; what stands before was written by anybody.
        let lists = headers.get_all("x-forwarded-for").iter().filter_map(|list| list.to_str().ok());
        let seen: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
        let named = seen.len().checked_sub(self.hops).and_then(|at| seen.get(at)).and_then(|text| address(text));
        network(named.unwrap_or(peer))
    }
}

/// An address as proxies write it, some with a port.
fn address(text: &str) -> Option<IpAddr> {
    text.parse()
        .ok()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
        .or_else(|| text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).and_then(|text| text.parse().ok()))
}

/// The network that counts as one client.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
    }
}

/// Refuses what comes too often from one client, each door in its way. Nothing of the request is read before.
pub async fn clients(State(state): State<WebState>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let Some(cost) = Cost::of(request.method(), route) else { return next.run(request).await };
    // A request without a connection is one of a test inside the process.
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
    let by_program = route.starts_with("/api/");
    match state.limits.check(cost, state.limits.client(peer, request.headers())) {
        Ok(()) => next.run(request).await,
        Err(wait) => refused(cost, wait, by_program),
    }
}

fn refused(cost: Cost, wait: Duration, by_program: bool) -> Response {
    let seconds = wait.as_secs() + 1;
    let time = match seconds {
        1 => "in a second".to_owned(),
        2..=90 => format!("in {seconds} seconds"),
        _ => format!("in {} minutes", seconds.div_ceil(60)),
    };
    let message = format!(
        "More {} from your network within a short time than this server answers. Nothing was done; please try again {time}.",
        cost.words()
    );
    let mut response = if by_program {
        api::too_many(message)
    } else {
        PageError::new(StatusCode::TOO_MANY_REQUESTS, "Too many at once", message).into_response()
    };
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_has_its_share_and_gets_it_back_in_time() {
        let clock = Clock::fixed(Timestamp(1_767_225_600_000));
        let limits = Limits::on(&clock, 0);
        let (ann, ben) = (ip("192.0.2.1"), ip("192.0.2.2"));
        for _ in 0..30 {
            assert_eq!(limits.check(Cost::SignIn, ann), Ok(()));
        }
        assert_eq!(limits.check(Cost::SignIn, ann), Err(Duration::from_mins(1)));
        assert_eq!(limits.check(Cost::Code, ann), Ok(()), "each thing is counted by itself");
        assert_eq!(limits.check(Cost::SignIn, ben), Ok(()));
        let Clock::Fixed(at) = &clock else { unreachable!() };
        at.fetch_add(60_000, Ordering::SeqCst);
        assert_eq!(limits.check(Cost::SignIn, ann), Ok(()));
        assert!(limits.check(Cost::SignIn, ann).is_err());
        at.fetch_add(30 * 60_000, Ordering::SeqCst);
        assert_eq!((0..31).filter(|_| limits.check(Cost::SignIn, ann).is_ok()).count(), 30);
        assert_eq!((0..700).filter(|_| limits.check(Cost::Write, ann).is_ok()).count(), 600);
        let off = Limits::off();
        assert!((0..9000).all(|_| off.check(Cost::Code, ann).is_ok()));
    }

    #[test]
    fn whoever_has_one_address_of_a_network_has_them_all() {
        assert_eq!(network(ip("2001:db8:1:2:3:4:5:6")), network(ip("2001:db8:1:2:ffff::")));
        assert_ne!(network(ip("2001:db8:1:2::1")), network(ip("2001:db8:1:3::1")));
        assert_eq!(network(ip("::ffff:192.0.2.1")), ip("192.0.2.1"));
    }

    #[test]
    fn only_what_trusted_proxies_have_seen_counts() {
        let clock = Clock::fixed(Timestamp(0));
        let with = |hops, lists: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for list in lists {
                headers.append("x-forwarded-for", HeaderValue::from_static(list));
            }
            Limits::on(&clock, hops).client(ip("127.0.0.1"), &headers)
        };
        assert_eq!(with(0, &["192.0.2.1"]), ip("127.0.0.1"), "anybody can write that");
        assert_eq!(with(1, &["192.0.2.9, 192.0.2.1"]), ip("192.0.2.1"));
        assert_eq!(with(2, &["192.0.2.9, 192.0.2.1", "198.51.100.7"]), ip("192.0.2.1"));
        assert_eq!(with(1, &["192.0.2.1:4711"]), ip("192.0.2.1"));
        assert_eq!(with(1, &["[2001:db8::1]:4711"]), ip("2001:db8::"));
        for without in [&[][..], &["unknown"], &[""]] {
            assert_eq!(with(1, without), ip("127.0.0.1"));
        }
        assert_eq!(with(3, &["192.0.2.1"]), ip("127.0.0.1"), "it has not come through all of them");
    }

    /// A route that was renamed would cost nothing from then on.
    #[test]
    fn what_costs_is_there() {
        let (own, pages, operations) =
            (include_str!("limit.rs"), include_str!("pages/mod.rs"), include_str!("../../docs/openapi.json"));
        let of = own.split("match route {").nth(1).unwrap().split("_ => None").next().unwrap();
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
        assert_eq!(Cost::of(&Method::POST, "/games/{id}/{side}/seal"), None);
        assert_eq!(Cost::of(&Method::PUT, "/api/v1/games/{id}/{side}/sheet"), Some(Cost::Write));
        assert_eq!(Cost::of(&Method::POST, "/api/v1/games"), Some(Cost::Game));
    }
}
