//! How a webhook's receiver knows who tells it something: by the signatures of Standard Webhooks 1.0
//! (<https://www.standardwebhooks.com>), symmetric, version 1.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What stands before a secret, by which it is recognised where it lies about.
pub(in crate::play) const PREFIX: &str = "whsec_";

/// The signature of a message: `v1,` and base 64 of HMAC-SHA256 over id, time in seconds and body.
#[must_use]
pub fn signature(key: &[u8], id: &str, seconds: i64, body: &str) -> String {
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return String::new() };
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector that the libraries of Standard Webhooks are tried with.
    #[test]
    fn the_published_example_has_the_published_signature() {
        let key = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = signature(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
