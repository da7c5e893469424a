"""Counts the words of a message. Python 3 alone: run it with BOT_EMAIL and BOT_TOKEN set."""

import hmac
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EMAIL, TOKEN = os.environ["BOT_EMAIL"], os.environ["BOT_TOKEN"]
answers = {}
turn = threading.Lock()


def handle(text):
    return {"content": f"Words: {len(text.split())}"}


def is_ours(delivery):
    """Takes as long for an unknown bot as for a wrong token."""
    email, token = str(delivery.get("bot_email")), str(delivery.get("token"))
    return hmac.compare_digest(f"{email}\n{token}".encode(), f"{EMAIL}\n{TOKEN}".encode())


def answer(delivery):
    """A message that comes again, as after a lost answer, is given the answer of the first time."""
    message = delivery["message"]
    with turn:
        if message["id"] not in answers:
            text = message["content"].replace(f"@**{delivery['bot_full_name']}**", "", 1)
            answers[message["id"]] = handle(text)
            if len(answers) > 1000:
                del answers[next(iter(answers))]
        return answers[message["id"]]


class Bot(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        try:
            length = int(self.headers.get("content-length", ""))
            if not 0 <= length <= 1_000_000:
                return self.say(413, {"error": "Too large"})
            delivery = json.loads(self.rfile.read(length))
            if is_ours(delivery):
                return self.say(200, answer(delivery))
            self.say(401, {"error": "Unauthorized"})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.say(400, {"error": "Bad request"})

    def say(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Bot)
print(f"{EMAIL} listens on http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
