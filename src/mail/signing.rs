//! DKIM (RFC 6376): letters are signed when there is a key, so that whoever gets them can tell that they are ours.

use std::sync::Arc;

use lettre::Address;
use mail_auth::common::crypto::{DkimKey, Ed25519Key, RsaKey, Sha256};
use mail_auth::common::headers::HeaderWriter;
use mail_auth::dkim::{DkimSigner, Done};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;

/// What is signed, where a letter has it. What says how a letter is answered and stopped is among it (RFC 8058, 4).
const SIGNED: [&str; 15] = [
    "From",
    "Reply-To",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "List-Id",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "Auto-Submitted",
];

/// A key with the name under which its other half stands in the DNS. Shows nothing of the key.
#[derive(Clone)]
pub struct Signing(Arc<DkimSigner<DkimKey, Done>>);

impl std::fmt::Debug for Signing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signing(…)")
    }
}

impl Signing {
    /// Reads a private key, RSA or Ed25519, in PEM. Its other half stands in the DNS as
    /// `selector._domainkey.domain`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(pem: &[u8], domain: &str, selector: &str) -> Result<Signing, String> {
        let der = PrivateKeyDer::from_pem_slice(pem).map_err(|_| "holds no private key in PEM".to_owned())?;
        let ed25519 = match &der {
            PrivateKeyDer::Pkcs8(der) => Ed25519Key::from_pkcs8_maybe_unchecked_der(der.secret_pkcs8_der()).ok(),
            _ => None,
        };
        let key = match ed25519 {
            Some(key) => DkimKey::from(key),
            None => RsaKey::<Sha256>::from_key_der(der)
                .map(DkimKey::from)
                .map_err(|_| "holds no RSA key of 2048 to 8192 bits, and no Ed25519 key".to_owned())?,
        };
        if !is_name(domain) {
            return Err(format!("signs for a domain, and {domain} is none"));
        }
        if !is_name(selector) {
            return Err(format!("is found by a selector, and {selector} is none"));
        }
        let signer = DkimSigner::from_key(key).domain(domain).selector(selector).headers(SIGNED);
        Ok(Signing(Arc::new(signer)))
    }

    /// A message with its signature before it.
    ///
    /// # Errors
    /// It cannot be signed, in a line.
    pub fn signed(&self, message: &[u8]) -> Result<Vec<u8>, String> {
        let signature = self.0.sign(message).map_err(|error| format!("the letter cannot be signed: {error}"))?;
        let mut signed = signature.to_header().into_bytes();
        signed.extend_from_slice(message);
        Ok(signed)
    }
}

/// Whether a text is a name of the DNS.
fn is_name(text: &str) -> bool {
    !text.contains('_') && format!("x@{text}").parse::<Address>().is_ok() && !text.starts_with('[')
}
