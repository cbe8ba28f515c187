//! Where a webhook may be: an address of the public network, reached over TLS. Nobody makes this server call its own
//! machine, its neighbours, or whatever else only it can reach.
//!
//! A name is looked up when the webhook is set up and again at each delivery, and what is called then is the very address
//! that was looked at: a name that leads elsewhere a moment later changes nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use tokio::net::lookup_host;
use tokio::time::timeout;
use url::{Host, Url};

/// The longest URL, in characters as it is sent: a letter that is not ASCII takes up to twelve.
const LONGEST: usize = 500;
/// How long looking a name up may take.
const LOOKUP: Duration = Duration::from_secs(5);
/// The lowest port beside 443 that may be called.
const LOWEST_PORT: u16 = 1024;

/// Whom this server calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Addresses of the public network alone, over TLS.
    #[default]
    Public,
    /// Any address, also in the clear: for tests, and networks that nobody else is in.
    Private,
}

/// Where a webhook is: a URL that was looked through.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    url: Url,
    host: String,
    port: u16,
}

/// The URL may hold what opens something, so that no log says it.
impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Target(…)")
    }
}

impl Target {
    /// Reads a URL.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence that begins with the field's name.
    pub fn parse(text: &str, reach: Reach) -> Result<Target, String> {
        let url = Url::parse(text.trim()).map_err(|error| format!("is no URL: {error}"))?;
        // It is read again at each call, in this form.
        if url.as_str().len() > LONGEST {
            return Err(format!("is longer than {LONGEST} characters, counted as they are sent"));
        }
        match (url.scheme(), reach) {
            ("https", _) | ("http", Reach::Private) => {}
            _ => return Err("does not begin with https://".into()),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("holds a user or a password, which a URL is no place for".into());
        }
        if url.fragment().is_some() {
            return Err("holds a #, behind which nothing is ever sent".into());
        }
        let port = url.port_or_known_default().unwrap_or(0);
        if reach == Reach::Public && port != 443 && port < LOWEST_PORT {
            return Err(format!("names port {port}: it is 443, or one from {LOWEST_PORT} on"));
        }
        let host = match url.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            Some(Host::Ipv4(ip)) => ip.to_string(),
            Some(Host::Ipv6(ip)) => ip.to_string(),
            None => return Err("names no host".into()),
        };
        let literal: Option<IpAddr> = host.parse().ok();
        if reach == Reach::Public && literal.is_some_and(|ip| !is_public(ip)) {
            return Err(NOWHERE.into());
        }
        Ok(Target { url, host, port })
    }

    /// The addresses to which it leads now, each of which may be called.
    ///
    /// # Errors
    /// [`NOWHERE`], whether the name is unknown or leads where nobody may be called: whoever asks is not told what names
    /// mean inside this network.
    pub async fn addresses(&self, reach: Reach) -> Result<Vec<SocketAddr>, &'static str> {
        let looked_up = timeout(LOOKUP, lookup_host((self.host.as_str(), self.port))).await;
        let Ok(Ok(found)) = looked_up else { return Err(NOWHERE) };
        let found = match reach {
            Reach::Private => found.collect(),
            Reach::Public => callable(found).ok_or(NOWHERE)?,
        };
        if found.is_empty() { Err(NOWHERE) } else { Ok(found) }
    }

    /// Whether it is called over TLS.
    #[must_use]
    pub fn protected(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The host's name, or its address without brackets: whose certificate it must have.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The host and port, as the header `Host` names them.
    #[must_use]
    pub fn authority(&self) -> &str {
        self.url.authority()
    }

    /// What is asked for there: path and query.
    #[must_use]
    pub fn path(&self) -> String {
        match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        }
    }

    /// The URL as it is kept.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }
}

/// A URL without what stands behind its host.
#[must_use]
pub fn veiled(url: &str) -> String {
    Url::parse(url).map_or_else(|_| "…".to_owned(), |url| format!("{}://{}/…", url.scheme(), url.authority()))
}

/// What is said of a host that is not called.
pub const NOWHERE: &str =
    "leads nowhere that this server calls: its name is unknown, or its address is not a public one";

/// Those of a name's addresses that may be called; `None` if one of them is not public, or this machine's own.
fn callable(found: impl Iterator<Item = SocketAddr>) -> Option<Vec<SocketAddr>> {
    // A resolver that translates adds these to an address of IPv4, which is the one that is called.
    let found = found.filter(|address| !is_translated(address.ip()));
    found.map(|address| (is_public(address.ip()) && !is_own(address.ip())).then_some(address)).collect()
}

/// Whether an address is one of IPv4 as networks without it write it: `64:ff9b::/96` (RFC 6052, 2.1).
fn is_translated(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(ip) if ip.segments().starts_with(&[0x64, 0xff9b, 0, 0, 0, 0]))
}

/// Whether an address is one of this machine's own: what left for it would come from it. Only the way is looked up, and
/// nothing is sent.
fn is_own(ip: IpAddr) -> bool {
    let any: IpAddr = if ip.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let from = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect((ip, LOWEST_PORT))?;
        socket.local_addr()
    });
    from.is_ok_and(|from| from.ip() == ip)
}

/// Whether an address is one of the public network (IANA's registries of special-purpose addresses, RFC 6890).
#[must_use]
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

/// Networks of IPv4 that are not public: this network, private ones, shared by providers, loopback, link-local, protocol
/// assignments, documentation, 6to4 relays, benchmarks, documentation, multicast, reserved with broadcast.
const NOT_PUBLIC_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

fn is_public_v4(ip: Ipv4Addr) -> bool {
    !NOT_PUBLIC_V4.iter().any(|(network, bits)| (ip.to_bits() ^ network.to_bits()) >> (32 - bits) == 0)
}

/// Of IPv6 only `2000::/3` is given out to the public network; so loopback, mapped and translated IPv4, unique local,
/// link-local and multicast addresses are none. Within it, these are none either: protocol assignments with Teredo,
/// documentation, 6to4, documentation.
const NOT_PUBLIC_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let within = |network: Ipv6Addr, bits: u32| (ip.to_bits() ^ network.to_bits()) >> (128 - bits) == 0;
    within(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)
        && !NOT_PUBLIC_V6.iter().any(|(network, bits)| within(*network, *bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_network_are_called() {
        for public in
            ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "223.255.255.254", "2606:4700::1"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        let own = "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9 169.254.169.254 \
                   172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 \
                   203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 \
                   ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 2001::1 2001:db8::1 \
                   2001:10::1 2002:7f00:1:: 3fff::1 5f00::1";
        for own in own.split_whitespace() {
            assert!(!is_public(own.parse().unwrap()), "{own}");
        }
    }

    #[test]
    fn urls_are_looked_through() {
        let read = |text: &str| Target::parse(text, Reach::Public).map(|target| target.as_str().to_owned());
        assert_eq!(read("https://bot.example.org/hook?a=1"), Ok("https://bot.example.org/hook?a=1".into()));
        assert!(read("https://bot.example.org:8443/").is_ok());
        for wrong in [
            "",
            "bot.example.org",
            "http://bot.example.org/",
            "ftp://bot.example.org/",
            "file:///etc/passwd",
            "https://me:secret@bot.example.org/",
            "https://me@bot.example.org/",
            "https://bot.example.org/#part",
            "https://bot.example.org:25/",
            "https://bot.example.org:0/",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://017700000001/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let long = |letter: &str, number| read(&format!("https://bot.example.org/{}", letter.repeat(number)));
        assert!(long("x", 476).is_ok() && long("x", 477).is_err());
        assert!(long("ж", 79).is_ok_and(|kept| read(&kept) == Ok(kept)), "six characters each");
        assert!(long("ж", 200).is_err());
        let target = Target::parse("http://[::1]:8080/hook", Reach::Private).unwrap();
        assert_eq!((target.host(), target.authority(), &*target.path()), ("::1", "[::1]:8080", "/hook"));
        assert!(!target.protected());
        assert_eq!(format!("{target:?}"), "Target(…)");
    }

    #[test]
    fn this_machine_is_not_called_and_translated_addresses_are_left_out() {
        assert!(is_own("127.0.0.1".parse().unwrap()));
        assert!(!is_own("8.8.8.8".parse().unwrap()));
        let called = |found: &[&str]| {
            let found = found.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), 443));
            callable(found).map(|called| called.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>())
        };
        assert_eq!(called(&["8.8.8.8", "64:ff9b::808:808"]), Some(vec!["8.8.8.8".into()]));
        assert_eq!(called(&["64:ff9b::7f00:1"]), Some(vec![]));
        assert_eq!(called(&["8.8.8.8", "10.0.0.1"]), None);
        assert_eq!(called(&["8.8.8.8", "64:ff9b:1::1"]), None, "that network is a provider's own");
    }

    #[tokio::test]
    async fn a_name_that_leads_home_leads_nowhere() {
        let target = Target::parse("https://localhost/", Reach::Public).unwrap();
        assert_eq!(target.addresses(Reach::Public).await, Err(NOWHERE));
        assert!(target.addresses(Reach::Private).await.unwrap().iter().all(|address| address.ip().is_loopback()));
        let target = Target::parse("https://nobody.invalid/", Reach::Public).unwrap();
        assert_eq!(target.addresses(Reach::Private).await, Err(NOWHERE));
    }
}
