"""Counts the words of a message. Needs only Python 3; set BOT_EMAIL and BOT_TOKEN."""

import hmac
import html
import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EMAIL, TOKEN = os.environ["BOT_EMAIL"], os.environ["BOT_TOKEN"]
MENTION = re.compile(
    r"\s*@_?\*\*([^*\n]*?)(?:\|(\d+))?\*\*(?:[,:;.!?]|\s*[，、：；。！？،؛؟।…–—])?"
)
SHOWN = re.compile(r'data-user-id="(\d+)">@?([^<]*)<')
replies = {}
lock = threading.Lock()


def handle(text):
    return {"content": f"Words: {len(text.split())}"}


def is_ours(delivery):
    """Whether email and token are right. Takes equally long for an unknown bot and a wrong token."""
    email, token = str(delivery.get("bot_email")), str(delivery.get("token"))
    return hmac.compare_digest(f"{email}\n{token}".encode(), f"{EMAIL}\n{TOKEN}".encode())


def said_in(message, name):
    """Returns the text without the mention of the bot at its start, in each form that people write."""
    text = message["content"]
    found = MENTION.match(text)
    shown = SHOWN.findall(message.get("rendered_content", ""))
    ids = [id for id, shown_name in shown if html.unescape(shown_name) == name]
    is_own = found and (found[1].lower() == name.lower() or found[2] in ids)
    return text[found.end() if is_own else 0 :].strip()


def reply_to(delivery):
    """Returns the stored reply for a message that is delivered again, for example after a lost response."""
    message = delivery["message"]
    with lock:
        if message["id"] not in replies:
            replies[message["id"]] = handle(said_in(message, delivery["bot_full_name"]))
            if len(replies) > 1000:
                del replies[next(iter(replies))]
        return replies[message["id"]]


class Bot(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        try:
            length = int(self.headers.get("content-length", ""))
            if not 0 <= length <= 1_000_000:
                return self.respond(413, {"error": "Too large"})
            delivery = json.loads(self.rfile.read(length))
            if is_ours(delivery):
                return self.respond(200, reply_to(delivery))
            self.respond(401, {"error": "Unauthorized"})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.respond(400, {"error": "Bad request"})

    def respond(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Bot)
print(f"{EMAIL} listens on http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
