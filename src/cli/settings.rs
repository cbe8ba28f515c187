//! The settings of the server: command line first, then environment, then the file (`cli::config`), then defaults.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The forms of the mail server's address.
const SMTP_HELP: &str = "SMTP server for letters: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465; \
    ?tls=none sends in the clear, as does a server on this machine [default: files in the folder mail of the data folder]";

/// Whether the requests of each client are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ClientLimits {
    /// They are.
    #[default]
    On,
    /// They are not.
    Off,
}

/// Where webhooks may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WebhooksTo {
    /// At addresses of the public network, over TLS.
    #[default]
    Public,
    /// Anywhere, also in the clear.
    Private,
}

/// How lines in the log are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// A JSON object for each.
    Json,
}

/// What the server is started with.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    /// File with settings, TOML: a line for each, named as here without the dashes; "" for none
    /// [default: /etc/fieldcommand/config.toml, if it is there]
    #[arg(long, global = true, env = "FIELDCOMMAND_CONFIG", value_name = "FILE")]
    pub config: Option<String>,
    /// Folder for database, key, mail and snapshots
    #[arg(long, global = true, env = "FIELDCOMMAND_DATA", default_value = "./data", value_name = "FOLDER")]
    pub data: PathBuf,
    /// Address and port to listen on
    #[arg(long, global = true, env = "FIELDCOMMAND_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Address under which people reach the server; links in pages and letters begin with it
    /// [default: http:// and the listening address]
    #[arg(long, global = true, env = "FIELDCOMMAND_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// PostgreSQL database, postgres://… [default: a SQLite file in the data folder]
    #[arg(long, global = true, env = "FIELDCOMMAND_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: Option<String>,
    /// The server's key, 64 hexadecimal digits [default: the file server.key in the data folder,
    /// made at the first start]
    #[arg(long, global = true, env = "FIELDCOMMAND_KEY", hide_env_values = true, value_name = "HEX")]
    pub key: Option<String>,
    /// SMTP server for letters [default: files in the folder mail of the data folder]
    #[arg(long, global = true, long_help = SMTP_HELP, env = "FIELDCOMMAND_SMTP_URL", hide_env_values = true, value_name = "URL")]
    pub smtp_url: Option<String>,
    /// Whom letters come from
    #[arg(
        long,
        global = true,
        env = "FIELDCOMMAND_MAIL_FROM",
        default_value = "Field Command <fieldcommand@localhost>",
        value_name = "ADDRESS"
    )]
    pub mail_from: String,
    /// Address whose mail reaches this server, like play@example.org: letters are answered at play+…@example.org
    /// [default: letters are answered on the page]
    #[arg(long, global = true, env = "FIELDCOMMAND_ANSWERS_TO", value_name = "ADDRESS")]
    pub answers_to: Option<String>,
    /// Whether one client may ask for so many letters, type so many codes, open so many games and send so many API requests
    /// only; off for tests and a server of one's own
    #[arg(long, global = true, env = "FIELDCOMMAND_LIMITS", default_value = "on", value_name = "ON|OFF")]
    pub limits: ClientLimits,
    /// How many proxies of yours stand before the server: clients are told apart by what the outermost of them wrote into
    /// X-Forwarded-For; with 0, by the address of the connection
    #[arg(long, global = true, env = "FIELDCOMMAND_TRUSTED_HOPS", default_value_t = 0, value_name = "NUMBER")]
    pub trusted_hops: u8,
    /// Address and port on which a mail server hands over what comes for --answers-to, by LMTP (RFC 2033); reachable by that
    /// server alone [default: none]
    #[arg(long, global = true, env = "FIELDCOMMAND_LMTP_LISTEN", value_name = "ADDRESS")]
    pub lmtp_listen: Option<SocketAddr>,
    /// Address and port for those who look after the server: /metrics for Prometheus, and what /health/ready finds in words;
    /// reachable by them alone [default: none]
    #[arg(long, global = true, env = "FIELDCOMMAND_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
    /// Where webhooks may be: public, at addresses of the public network over TLS alone; private, anywhere and also in the
    /// clear, for tests and networks that nobody else is in
    #[arg(
        long,
        global = true,
        env = "FIELDCOMMAND_WEBHOOKS_TO",
        default_value = "public",
        value_name = "PUBLIC|PRIVATE"
    )]
    pub webhooks_to: WebhooksTo,
    /// How lines in the log are written: for people, or one JSON object each
    #[arg(long, global = true, env = "FIELDCOMMAND_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,
    /// Name by which the receiving mail server signs what it found about senders (Authentication-Results, RFC 8601)
    /// [default: nobody's findings count]
    #[arg(long, global = true, env = "FIELDCOMMAND_AUTHSERV_ID", value_name = "NAME")]
    pub authserv_id: Option<String>,
    /// How many connections to the SMTP server are used at once
    #[arg(
        long,
        global = true,
        env = "FIELDCOMMAND_MAIL_CONNECTIONS",
        default_value_t = 2,
        value_parser = clap::value_parser!(u16).range(1..=100),
        value_name = "NUMBER"
    )]
    pub mail_connections: u16,
    /// File with the private key by which letters are signed (DKIM): RSA or Ed25519, PEM [default: letters are not signed]
    #[arg(long, global = true, env = "FIELDCOMMAND_DKIM_KEY", value_name = "FILE")]
    pub dkim_key: Option<PathBuf>,
    /// Name under which the other half of that key stands in the DNS, as in NAME._domainkey.example.org
    #[arg(long, global = true, env = "FIELDCOMMAND_DKIM_SELECTOR", value_name = "NAME")]
    pub dkim_selector: Option<String>,
    /// Domain that signs [default: that of --mail-from]
    #[arg(long, global = true, env = "FIELDCOMMAND_DKIM_DOMAIN", value_name = "DOMAIN")]
    pub dkim_domain: Option<String>,
    /// For how many seconds a server that is told to stop goes on answering, while /health/ready says that it is not ready:
    /// as long as a proxy before it takes to hear of that; 0 for a server without one
    #[arg(
        long,
        global = true,
        env = "FIELDCOMMAND_DRAIN",
        default_value_t = 0,
        value_parser = clap::value_parser!(u16).range(0..=600),
        value_name = "SECONDS"
    )]
    pub drain: u16,
    /// After how many seconds without a sign of life another process on the same PostgreSQL database is taken for dead, and
    /// what it was about to do is done by the others
    #[arg(
        long,
        global = true,
        env = "FIELDCOMMAND_MISSED_AFTER",
        default_value_t = 20,
        value_parser = clap::value_parser!(u16).range(2..=600),
        value_name = "SECONDS"
    )]
    pub missed_after: u16,
}
