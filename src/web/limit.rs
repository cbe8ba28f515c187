//! How much of what costs or guesses comes from one client: letters asked for, codes typed, games opened, whatever else
//! acts. Nothing that acts is free: what has no cost of its own costs an act.
//!
//! A client is an IPv4 address, or a /64 network of IPv6: whoever has one of its addresses has them all. The limits are wide enough for a
//! club behind one address; they stop programs. What a seat or a browser sends is counted by its token or cookie besides,
//! wherever it comes from. Each process counts for itself, in memory, and a restart forgets.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::Clock;
use crate::web::cost::Cost;
use crate::web::error::PageError;
use crate::web::{WebState, api, security};

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The server's clock, for counting.
struct Steady(Clock);

impl governor::clock::Clock for Steady {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.steady()
    }
}

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Client {
    /// All that come from one network.
    Network(IpAddr),
    /// All with one token or cookie, by a hash of it.
    Holder(u64),
}

type Limiter = RateLimiter<Client, DashMapStateStore<Client>, Steady, StateInformationMiddleware>;

/// The counts of all clients.
struct Table {
    limiters: [(Limiter, Option<Limiter>); Cost::ALL.len()],
    /// Until when the desk's tokens of a client are not looked at, since too many of them opened nothing.
    shut: Mutex<HashMap<IpAddr, Duration>>,
    clock: Clock,
    checks: AtomicU32,
}

/// How many streams of news one seat may listen to at once: so many tabs and devices.
const STREAMS: usize = 24;

/// After how many checks clients that have their whole share again are forgotten.
const FORGET: u32 = 1024;

/// The limits of a server. Cheap to clone.
#[derive(Clone)]
pub struct Limits {
    table: Option<Arc<Table>>,
    hops: usize,
    warned: Arc<AtomicBool>,
    streams: Arc<Mutex<BTreeMap<String, usize>>>,
}

/// A stream of news that is counted as long as this lives.
#[derive(Debug)]
pub struct Listening {
    streams: Arc<Mutex<BTreeMap<String, usize>>>,
    seat: String,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = streams.get_mut(&self.seat) {
            *number -= 1;
            if *number == 0 {
                streams.remove(&self.seat);
            }
        }
    }
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
        let limiter = |(most, each): (u32, Duration)| {
            let most = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
            let quota = Quota::with_period(each).unwrap_or(Quota::per_second(most)).allow_burst(most);
            RateLimiter::dashmap_with_clock(quota, Steady(clock.clone()))
                .with_middleware::<StateInformationMiddleware>()
        };
        let limiters = Cost::ALL.map(|cost| (limiter(cost.quota()), cost.quota_of_holder().map(limiter)));
        let table = Table { limiters, shut: Mutex::default(), clock: clock.clone(), checks: AtomicU32::new(0) };
        Limits { table: Some(Arc::new(table)), hops: usize::from(hops), ..Limits::off() }
    }

    /// Counts nothing but streams.
    #[must_use]
    pub fn off() -> Limits {
        Limits { table: None, hops: 0, warned: Arc::default(), streams: Arc::default() }
    }

    /// The same limits behind so many proxies of the organiser's.
    #[must_use]
    pub fn behind(self, hops: u8) -> Limits {
        Limits { hops: usize::from(hops), ..self }
    }

    /// Whether requests come through proxies of the organiser's.
    #[must_use]
    pub const fn trusts_proxies(&self) -> bool {
        self.hops > 0
    }

    /// Counts a stream of news of a seat; `None` if there are too many.
    #[must_use]
    pub fn listening(&self, seat: String) -> Option<Listening> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let number = streams.entry(seat.clone()).or_insert(0);
        if *number >= STREAMS {
            return None;
        }
        *number += 1;
        Some(Listening { streams: Arc::clone(&self.streams), seat })
    }

    /// Counts a hint that is asked for among other things of the table, by the seat that asks.
    ///
    /// # Errors
    /// How long to wait, if there were too many.
    pub fn hint(&self, seat: &str) -> Result<(), Duration> {
        self.check(Cost::Hint, holder_of(seat.as_bytes())).map(|_| ())
    }

    /// Counts a request. Gives how many more may come at once, where that is counted, or how long to wait, if there were
    /// too many.
    fn check(&self, cost: Cost, client: Client) -> Result<Option<u32>, Duration> {
        let Some(table) = &self.table else { return Ok(None) };
        let found = Cost::ALL.into_iter().zip(&table.limiters).find(|(each, _)| *each == cost);
        let Some((_, (of_network, of_holder))) = found else { return Ok(None) };
        if table.checks.fetch_add(1, Ordering::Relaxed) % FORGET == FORGET - 1 {
            for (of_network, of_holder) in &table.limiters {
                of_network.retain_recent();
                if let Some(of_holder) = of_holder {
                    of_holder.retain_recent();
                }
            }
        }
        let limiter = match client {
            Client::Network(_) => of_network,
            Client::Holder(_) => match of_holder {
                Some(of_holder) => of_holder,
                None => return Ok(None),
            },
        };
        let left = limiter.check_key(&client).map_err(|later| later.wait_time_from(table.clock.steady()))?;
        Ok(Some(left.remaining_burst_capacity()))
    }

    /// Whether a client has sent so many of the desk's tokens that open nothing that none of its are looked at for now;
    /// gives for how long.
    fn shut_out(&self, client: IpAddr) -> Option<Duration> {
        let table = self.table.as_ref()?;
        let now = table.clock.steady();
        let mut shut = table.shut.lock().unwrap_or_else(PoisonError::into_inner);
        let left = shut.get(&client)?.checked_sub(now).filter(|left| !left.is_zero());
        if left.is_none() {
            shut.remove(&client);
        }
        left
    }

    /// Counts one of the desk's tokens that opened nothing.
    fn opened_nothing(&self, client: IpAddr) {
        let (Some(table), Err(wait)) = (&self.table, self.check(Cost::Token, Client::Network(client))) else { return };
        let now = table.clock.steady();
        let mut shut = table.shut.lock().unwrap_or_else(PoisonError::into_inner);
        shut.retain(|_, until| *until > now);
        shut.insert(client, now + wait);
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

/// Who holds what the request shows, a token before a cookie: a hash, since the secret itself is nobody's here.
fn holder(headers: &HeaderMap) -> Option<Client> {
    let shown = headers.get(header::AUTHORIZATION).or_else(|| headers.get(header::COOKIE))?;
    Some(holder_of(shown.as_bytes()))
}

fn holder_of(shown: &[u8]) -> Client {
    let mut hasher = DefaultHasher::new();
    shown.hash(&mut hasher);
    Client::Holder(hasher.finish())
}

/// Whether an answer says that what was shown opens nothing. A code that is wrong has a cost of its own.
fn opened_nothing(route: &str, status: StatusCode) -> bool {
    status == StatusCode::UNAUTHORIZED
        || matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) && route.contains("/{secret}")
}

/// Where the organiser's desk lies for programs.
const DESK: &str = "/api/v1/admin/";

/// Refuses what comes too often from one client, each door in its way. Nothing of the request is read before.
pub async fn clients(State(state): State<WebState>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or_else(String::new, |path| path.as_str().to_owned());
    // A request without a connection is one of a test inside the process.
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
    let client = state.limits.client(peer, request.headers());
    // Whoever guesses is not told any more which token would open something.
    if route.starts_with(DESK)
        && let Some(wait) = state.limits.shut_out(client)
    {
        return refused(Cost::Token, wait, &route);
    }
    let mut left = None;
    if let Some(cost) = Cost::of(request.method(), &route) {
        let clients = [Some(Client::Network(client)), holder(request.headers())];
        for counted in clients.into_iter().flatten() {
            match state.limits.check(cost, counted) {
                Ok(more) => left = left.or(more.map(|more| (cost, more))),
                Err(wait) => {
                    let whose = if matches!(counted, Client::Network(_)) { "network" } else { "seat or browser" };
                    security::noticed!(WARN, "too many requests", route, cost = cost.words(), whose, %client);
                    return refused(cost, wait, &route);
                }
            }
        }
    }
    let response = next.run(request).await;
    if opened_nothing(&route, response.status()) {
        security::noticed!(INFO, "a secret opened nothing", route, status = response.status().as_u16());
        if route.starts_with(DESK) {
            state.limits.opened_nothing(client);
        }
        if let Err(wait) = state.limits.check(Cost::Wrong, Client::Network(client)) {
            security::noticed!(WARN, "too many secrets opened nothing", route, %client);
            return refused(Cost::Wrong, wait, &route);
        }
    }
    match left.filter(|_| route.starts_with("/api/")) {
        Some((cost, left)) => told(response, cost, Ok(left)),
        None => response,
    }
}

/// Tells a program how much more may come from its network (draft-ietf-httpapi-ratelimit-headers): of what, how many in
/// which time, how many are left, and after how many seconds all of them are there again, or one.
fn told(mut response: Response, cost: Cost, left: Result<u32, Duration>) -> Response {
    let ((most, period), name) = (cost.quota(), cost.name());
    let (left, wait) = match left {
        Ok(left) => (left, period * most.saturating_sub(left)),
        Err(wait) => (0, wait),
    };
    let seconds = |time: Duration| time.as_millis().div_ceil(1000);
    let headers = [
        ("ratelimit-policy", format!("\"{name}\";q={most};w={}", seconds(period * most))),
        ("ratelimit", format!("\"{name}\";r={left};t={}", seconds(wait))),
    ];
    for (header, value) in headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(header, value);
        }
    }
    response
}

fn refused(cost: Cost, wait: Duration, route: &str) -> Response {
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
    let mut response = if route.starts_with("/api/") {
        told(api::too_many(message), cost, Err(wait))
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
        let [ann, ben] = ["192.0.2.1", "192.0.2.2"].map(|text| Client::Network(ip(text)));
        for _ in 0..30 {
            assert!(limits.check(Cost::SignIn, ann).is_ok());
        }
        assert_eq!(limits.check(Cost::SignIn, ann), Err(Duration::from_mins(1)));
        assert_eq!(limits.check(Cost::Code, ann), Ok(Some(29)), "each thing is counted by itself");
        assert_eq!(limits.check(Cost::SignIn, ben), Ok(Some(29)));
        let Clock::Fixed(at) = &clock else { unreachable!() };
        at.fetch_add(60_000, Ordering::SeqCst);
        assert_eq!(limits.check(Cost::SignIn, ann), Ok(Some(0)));
        assert!(limits.check(Cost::SignIn, ann).is_err());
        at.fetch_add(30 * 60_000, Ordering::SeqCst);
        assert_eq!((0..31).filter(|_| limits.check(Cost::SignIn, ann).is_ok()).count(), 30);
        assert_eq!((0..700).filter(|_| limits.check(Cost::Write, ann).is_ok()).count(), 600);
        let off = Limits::off();
        assert!((0..9000).all(|_| off.check(Cost::Code, ann).is_ok()));
    }

    #[test]
    fn what_one_token_sends_is_counted_wherever_it_comes_from() {
        let limits = Limits::on(&Clock::fixed(Timestamp(0)), 0);
        let with =
            |name: header::HeaderName, value| holder(&HeaderMap::from_iter([(name, HeaderValue::from_static(value))]));
        let (ann, ben) =
            (with(header::AUTHORIZATION, "Bearer a").unwrap(), with(header::COOKIE, "fieldcommand=b").unwrap());
        assert_eq!((0..100).filter(|_| limits.check(Cost::Hint, ann).is_ok()).count(), 30);
        assert_eq!((0..700).filter(|_| limits.check(Cost::Act, ann).is_ok()).count(), 600);
        assert_eq!(limits.check(Cost::Hint, ben), Ok(Some(29)));
        assert_eq!((0..99).filter(|_| limits.check(Cost::Code, ann).is_ok()).count(), 99, "counted by network alone");
        assert_eq!(holder(&HeaderMap::new()), None);
    }

    #[test]
    fn a_seat_listens_to_so_many_streams_at_once() {
        let limits = Limits::off();
        let streams: Vec<_> = (0..STREAMS).map(|_| limits.listening("g red".into()).unwrap()).collect();
        assert!(limits.listening("g red".into()).is_none() && limits.listening("g blue".into()).is_some());
        drop(streams);
        assert!(limits.listening("g red".into()).is_some());
        assert_eq!(limits.streams.lock().unwrap().len(), 0, "nothing of seats that nobody listens to is kept");
    }

    #[test]
    fn who_guesses_tokens_is_shut_out_for_a_while() {
        let clock = Clock::fixed(Timestamp(1_767_225_600_000));
        let (limits, ann) = (Limits::on(&clock, 0), ip("192.0.2.1"));
        for _ in 0..20 {
            limits.opened_nothing(ann);
            assert_eq!(limits.shut_out(ann), None);
        }
        limits.opened_nothing(ann);
        assert_eq!(limits.shut_out(ann), Some(Duration::from_secs(30)));
        assert_eq!(limits.shut_out(ip("192.0.2.2")), None);
        let Clock::Fixed(at) = &clock else { unreachable!() };
        at.fetch_add(30_000, Ordering::SeqCst);
        assert_eq!(limits.shut_out(ann), None);
    }

    #[test]
    fn programs_are_told_what_is_left() {
        let header = |response: &Response, name: &str| response.headers()[name].to_str().unwrap().to_owned();
        let response = told(Response::default(), Cost::Write, Ok(590));
        assert_eq!(header(&response, "ratelimit-policy"), "\"writing\";q=600;w=120");
        assert_eq!(header(&response, "ratelimit"), "\"writing\";r=590;t=2");
        let response = told(Response::default(), Cost::Game, Err(Duration::from_millis(29_100)));
        assert_eq!(header(&response, "ratelimit"), "\"games\";r=0;t=30");
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
}
