import base64
import hmac
import html
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ["BOT_TOKEN"].encode()
MENTION = re.compile(
    r"\s*@_?\*\*([^*\n]*?)(?:\|(\d+))?\*\*(?:[,:;.!?]|\s*[，、：；。！？،؛؟।…–—])?"
)
SHOWN = re.compile(r'data-user-id="(\d+)">@?([^<]*)<')


def said_in(delivery):
    """The text without the mention of the bot at its start, in each form that people write."""
    text, name = delivery["data"], delivery["bot_full_name"]
    found = MENTION.match(text)
    shown = SHOWN.findall(delivery.get("message", {}).get("rendered_content", ""))
    ids = [id for id, shown_name in shown if html.unescape(shown_name) == name]
    is_own = found and (found[1].lower() == name.lower() or found[2] in ids)
    return text[found.end() if is_own else 0 :].strip()


def is_signed(headers, body):
    """Whether the signature is right and at most five minutes old."""
    sent_at = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    right = b"v1," + base64.b64encode(hmac.digest(TOKEN, signed, "sha256"))
    given = headers.get("webhook-signature", "").encode().split(b" ")
    is_right = any(hmac.compare_digest(right, one) for one in given)
    return is_right and abs(time.time() - int(sent_at)) <= 300


class Bot(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if length > 1_000_000:
            return self.respond(413, {})
        body = self.rfile.read(length)
        try:
            delivery = json.loads(body)
            has_token = hmac.compare_digest(TOKEN, delivery["token"].encode())
            said = said_in(delivery)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return self.respond(400, {})
        if not has_token or not is_signed(self.headers, body):
            return self.respond(401, {})
        self.respond(200, {"content": f"You said: {said}"})

    def respond(self, status, answer):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


port = int(os.environ.get("PORT", "8080"))
ThreadingHTTPServer(("127.0.0.1", port), Bot).serve_forever()
