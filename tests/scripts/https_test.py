#!/usr/bin/env python3
"""elmx data fetch over HTTPS, from servers on 127.0.0.1: https_test.py ELMX. Certificates are checked, redirects lead from http
to https but never back. Exits with 77 where there is no openssl to make a certificate with."""
import hashlib
import http.server
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading

CONTENT = b"1,2,3\n4,5,6\n"


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves CONTENT, and redirects /to/N to the address server.targets[N]."""

    def do_GET(self):
        self.server.asked.append(self.path)
        moved = self.path.startswith("/to/")
        self.send_response(302 if moved else 200)
        if moved:
            self.send_header("Location", self.server.targets[self.path[4:]])
        self.send_header("Content-Length", "0" if moved else str(len(CONTENT)))
        self.end_headers()
        if not moved:
            self.wfile.write(CONTENT)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.targets = [], {}
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # a client that does not trust the certificate


def certificate(folder):
    if not shutil.which("openssl"):
        sys.exit(77)
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return cert, context


def fetch(elmx, folder, url, trusted):
    """The exit code and stderr of a fetch of this address into an empty data directory."""
    home, data = folder / "home", folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    (home / "data").mkdir(parents=True, exist_ok=True)
    file = {"path": "made.csv", "sha256": hashlib.sha256(CONTENT).hexdigest(), "size": len(CONTENT), "url": url}
    made = {"name": "made", "target": ["-1"], "files": [file]}
    (home / "data" / "catalogue.json").write_text(json.dumps({"sets": [made]}))
    environment = {**os.environ, "ELMX_HOME": str(home), "ELMX_DATA": str(data), "no_proxy": "127.0.0.1", "SSL_CERT_FILE": str(trusted)}
    done = subprocess.run([elmx, "data", "fetch", "made"], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode == 0) == ((data / "made.csv").exists()), done.stderr
    return done.returncode, done.stderr


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        trusted, context = certificate(folder)
        plain, secure = Server(), Server(context)
        plain.targets = {"https": secure.url + "made.csv"}
        secure.targets = {"https": secure.url + "made.csv", "http": plain.url + "made.csv"}

        def ends(code, url, certificates=trusted, part=""):
            found, err = fetch(sys.argv[1], folder, url, certificates)
            assert found == code and part in err, f"{url}: exit {found}, {err}"

        ends(0, secure.url + "made.csv")
        ends(0, secure.url + "to/https")
        ends(0, plain.url + "to/https")
        plain.asked.clear()
        ends(3, secure.url + "to/http", part='"http" not supported')
        assert plain.asked == [], "http was asked"
        ends(3, secure.url + "made.csv", "", "certificate")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
