//! Ports for servers that want to be told theirs: they keep one across restarts, or somebody must know it before they start.

use std::net::SocketAddr;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{self, UnixListener};

use rand::RngExt;

/// An address of this machine that belongs to this test until its process ends.
///
/// A port that was merely found free may be gone before the server takes it, and while it is restarted: to one of the tests
/// beside this one, or to any connection, since Linux takes the near ends of those from 32768 upwards. So it is one from below
/// that, and marked as taken by a socket with its name, which no file must be removed for when a test is killed.
pub fn own() -> SocketAddr {
    let mut chance = rand::rng();
    for _ in 0..1000 {
        let port: u16 = chance.random_range(15000..32000);
        let name = net::SocketAddr::from_abstract_name(format!("fieldcommand-tests-{port}")).unwrap();
        let Ok(mark) = UnixListener::bind_addr(&name) else { continue };
        if let Ok(listener) = std::net::TcpListener::bind(("127.0.0.1", port)) {
            std::mem::forget(mark);
            return listener.local_addr().unwrap();
        }
    }
    panic!("no port is free");
}
