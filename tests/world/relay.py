"""Mail servers of other people's making (aiosmtpd) that protect their connections, for tests/mail_tls.rs.

Takes a folder with the certificates and keys `right.*` and `wrong.*`. Says where its servers listen, as one line of JSON, and
writes each mail into the folder with a first line that tells how it came. Ends when its standard input does.
"""

import errno
import json
import pathlib
import random
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

FOLDER = pathlib.Path(sys.argv[1])
USER, PASSWORD = b"play@example.org", b"correct horse"


class Keeper:
    """Keeps what comes."""

    def __init__(self, name):
        self.name, self.number = name, 0

    async def handle_DATA(self, server, session, envelope):
        self.number += 1
        user = session.auth_data.login.decode() if session.auth_data else None
        first = json.dumps({"within": server.transport.get_extra_info("cipher") is not None, "user": user}).encode()
        part = FOLDER / f"{self.name}{self.number}.part"
        part.write_bytes(first + b"\n" + envelope.content)
        part.rename(part.with_suffix(".eml"))
        return "250 2.0.0 kept"


def who(server, session, envelope, mechanism, data):
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (USER, PASSWORD)
    return AuthResult(success=known, handled=False, auth_data=data if known else None)


def certified(name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(FOLDER / f"{name}.pem", FOLDER / f"{name}.key")
    return context


def start(name, **more):
    for _ in range(100):
        # Below the ports that Linux gives to any connection, and apart from those of scripts/test and tests/world/ports.rs.
        port = random.randrange(8000, 10000)
        controller = Controller(Keeper(name), hostname="127.0.0.1", port=port, **more)
        try:
            controller.start()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise
        return controller, port
    raise OSError("no port is free")


SIGNED_IN = {"authenticator": who, "auth_required": True}
SERVERS = {
    "upgraded": start("upgraded", tls_context=certified("right"), require_starttls=True, **SIGNED_IN),
    "wrapped": start("wrapped", ssl_context=certified("right"), auth_require_tls=False, **SIGNED_IN),
    "upgraded_wrong": start("upgraded_wrong", tls_context=certified("wrong")),
    "wrapped_wrong": start("wrapped_wrong", ssl_context=certified("wrong")),
    "clear": start("clear"),
}
print(json.dumps({name: port for name, (_, port) in SERVERS.items()}), flush=True)
sys.stdin.read()
