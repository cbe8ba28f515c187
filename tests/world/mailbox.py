"""A mailbox at a provider, for tests/mail_fetched.rs: POP3 (RFC 1939) over the `.eml` files of a folder.

Takes the folder, says its port in one line, and ends when its standard input does. Anybody who names the password gets in.
"""

import pathlib
import socketserver
import sys
import threading

FOLDER, PASSWORD = pathlib.Path(sys.argv[1]), sys.argv[2]


class Session(socketserver.StreamRequestHandler):
    def say(self, *lines):
        self.wfile.write("".join(line + "\r\n" for line in lines).encode())

    def handle(self):
        files, gone, known = sorted(FOLDER.glob("*.eml")), set(), False
        self.say("+OK here")
        while line := self.rfile.readline().decode().strip():
            verb, _, rest = line.partition(" ")
            verb = verb.upper()
            kept = [number for number in range(1, len(files) + 1) if number not in gone]
            if verb == "QUIT":
                for number in gone:
                    files[number - 1].unlink()
                return self.say("+OK")
            if verb == "CAPA":
                self.say("+OK", "USER", "UIDL", ".")
            elif verb == "USER":
                self.say("+OK")
            elif verb == "PASS":
                known = rest == PASSWORD
                self.say("+OK" if known else "-ERR no")
            elif not known:
                self.say("-ERR who are you?")
            elif verb == "STAT":
                self.say(f"+OK {len(kept)} {sum(files[number - 1].stat().st_size for number in kept)}")
            elif verb in ("LIST", "UIDL"):
                shown = {n: files[n - 1].name if verb == "UIDL" else files[n - 1].stat().st_size for n in kept}
                if rest:
                    self.say(f"+OK {rest} {shown[int(rest)]}")
                else:
                    self.say("+OK", *(f"{number} {said}" for number, said in shown.items()), ".")
            elif verb in ("RETR", "TOP"):
                text = files[int(rest.split()[0]) - 1].read_text().splitlines()
                self.say("+OK", *("." + line if line.startswith(".") else line for line in text), ".")
            elif verb == "DELE":
                gone.add(int(rest))
                self.say("+OK")
            else:
                self.say("-ERR not here")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Session)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
