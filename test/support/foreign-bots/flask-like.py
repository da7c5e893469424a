"""A bot as a beginner writes one with Flask, here with the standard library: the last word of a message names its
fault."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Bot(BaseHTTPRequestHandler):
    def do_POST(self):
        delivery = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.answer(delivery["data"].split()[-1])

    def answer(self, fault):
        if fault == "exception":
            return self.send(500, "<!doctype html><title>Internal Server Error</title>")
        if fault == "repr":
            return self.send(200, str({"content": "hello"}))
        if fault == "twice":
            return self.send(200, json.dumps(json.dumps({"content": "hello"})))
        if fault == "text":
            return self.send(200, json.dumps({"text": "hello"}))
        if fault == "nothing":
            return self.send(200, "")
        if fault == "close":
            return self.connection.close()
        if fault == "slow":
            time.sleep(60)
        if fault == "list":
            return self.send(200, json.dumps(["hello"]))
        if fault == "moved":
            return self.send(308, "", location="/hook/")
        if fault == "widget":
            return self.send(200, json.dumps({"content": "hello", "widget_content": {"widget_type": "poll"}}))
        if fault == "huge":
            return self.send(200, json.dumps({"content": "x" * 70_000}))
        if fault == "zero":
            return self.send(200, json.dumps({"content": "a\0b"}))
        self.send(200, json.dumps({"content": "hello"}))

    def send(self, status, body, location=None):
        self.send_response(status)
        if location:
            self.send_header("location", location)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Bot)
server.daemon_threads = True
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
