//! What `deliver` tells the mail server that runs it: the status codes of sysexits.h.

/// Why a mail was not delivered.
#[derive(Debug, thiserror::Error)]
pub enum NotDelivered {
    /// The address stands for nothing here.
    #[error("{0}")]
    NoUser(String),
    /// The mail cannot be read.
    #[error("{0}")]
    Data(String),
    /// The server could not do its part; the mail is to be kept and tried again.
    #[error("{0}")]
    TryAgain(String),
    /// The settings do not do.
    #[error("{0}")]
    Config(String),
}

impl NotDelivered {
    /// The status: `EX_NOUSER`, `EX_DATAERR`, `EX_TEMPFAIL` or `EX_CONFIG`.
    #[must_use]
    pub const fn status(&self) -> u8 {
        match self {
            NotDelivered::NoUser(_) => 67,
            NotDelivered::Data(_) => 65,
            NotDelivered::TryAgain(_) => 75,
            NotDelivered::Config(_) => 78,
        }
    }
}
