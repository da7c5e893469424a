import type { Bot } from '@bellhop/protocol';

import { webhookOf } from './managed-bots.ts';

/** A file or a command of a program to run. */
export interface Snippet {
  /** The name of the file; undefined for commands. */
  readonly file: string | undefined;
  readonly text: string;
  /** The same text with keys, for the copy button. */
  readonly full: string;
}
export type Language = 'typescript' | 'curl' | 'python';

const HIDDEN = '...';

/** Programs for a bot with the values of this server, each with the command that runs it. */
export function snippetsOf(bot: Bot, site: string, self: number): Record<Language, Snippet[]> {
  const webhook = webhookOf(bot);
  const port = portOf(webhook?.base_url);
  const environment = (keys: { api_key: string; token: string }) =>
    lines(
      `BOT_SITE=${site}`,
      `BOT_EMAIL=${bot.email}`,
      `BOT_API_KEY=${keys.api_key}`,
      ...(webhook ? [`BOT_TOKEN=${keys.token}`, `PORT=${port}`] : []),
    );
  const env: Snippet = {
    file: '.env',
    text: environment({ api_key: HIDDEN, token: HIDDEN }),
    full: environment({ api_key: bot.api_key ?? HIDDEN, token: webhook?.token ?? HIDDEN }),
  };
  const typescript = webhook ? answeringBot : sendingProgram(self);
  const python = webhook ? pythonBot : pythonProgram(self);
  return {
    typescript: [
      file('bot.ts', typescript),
      env,
      command(
        lines(
          `npm install ${webhook ? '@bellhop/bot' : '@bellhop/client zod'}`,
          'node --env-file=.env bot.ts',
        ),
      ),
    ],
    curl: [env, command(curl(self))],
    python: [file('bot.py', python), env, command('set -a; . ./.env; python3 bot.py')],
  };
}

const lines = (...all: readonly string[]): string => all.join('\n');
const file = (name: string, text: string): Snippet => ({ file: name, text, full: text });
const command = (text: string): Snippet => ({ file: undefined, text, full: text });

const portOf = (url: string | undefined): string =>
  (url === undefined ? undefined : URL.parse(url)?.port) || '8080';

const answeringBot = `import { type BotOptions, createBot, start } from '@bellhop/bot';

export default function makeBot(options: BotOptions) {
  return createBot(options)
    .command('ping', { about: 'Answers' }, () => 'pong')
    .fallback((ctx) => \`You said: \${ctx.text}\`);
}

if (import.meta.main) await start(makeBot);
`;

const sendingProgram = (to: number) => `import { createClient } from '@bellhop/client';

const { BOT_SITE: url = '', BOT_EMAIL: email = '', BOT_API_KEY: apiKey = '' } = process.env;
const bot = createClient({ url, email, apiKey });
const { id } = await bot.messages.send({ type: 'direct', to: [${to}], content: 'Hello!' });
console.log(\`Sent message \${id}\`);
`;

const curl = (to: number) => `set -a; . ./.env
curl "$BOT_SITE/api/v1/messages" -u "$BOT_EMAIL:$BOT_API_KEY" \\
  -d type=direct -d 'to=[${to}]' --data-urlencode 'content=Hello!'`;

const pythonProgram = (to: number) => `import base64, json, os, urllib.parse, urllib.request

site, email, key = (os.environ[name] for name in ("BOT_SITE", "BOT_EMAIL", "BOT_API_KEY"))
fields = {"type": "direct", "to": "[${to}]", "content": "Hello!"}
request = urllib.request.Request(site + "/api/v1/messages", urllib.parse.urlencode(fields).encode())
login = base64.b64encode(f"{email}:{key}".encode()).decode()
request.add_header("Authorization", f"Basic {login}")
print(json.load(urllib.request.urlopen(request, timeout=30)))
`;

const pythonBot = `import hmac, json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Bot(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = min(int(self.headers["content-length"]), 1_000_000)
        delivery = json.loads(self.rfile.read(length))
        if hmac.compare_digest(delivery["token"].encode(), os.environ["BOT_TOKEN"].encode()):
            text = delivery["message"]["content"]
            self.respond(200, {"content": f"You said: {text}"})
        else:
            self.respond(401, {"error": "Unauthorized"})

    def respond(self, status, answer):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Bot).serve_forever()
`;
