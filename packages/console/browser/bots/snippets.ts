import type { Bot } from '@bellhop/protocol';

import pythonBot from './bot.py?raw';
import { webhookOf } from './managed-bots.ts';

/** A file or a command of a program to run. */
export interface Snippet {
  /** The name of a file, or what commands are for. */
  readonly label: string;
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
    label: '.env',
    text: environment({ api_key: HIDDEN, token: HIDDEN }),
    full: environment({ api_key: bot.api_key ?? HIDDEN, token: webhook?.token ?? HIDDEN }),
  };
  const python = webhook ? pythonBot : pythonProgram(self);
  const folder = folderOf(bot);
  return {
    typescript: webhook
      ? [
          command(
            'In a clone of Bellhop, to make a project with a test',
            `npx bellhop bot new ../${folder} --template commands --server ${site}`,
          ),
          env,
          command('In its folder, with this .env', 'npm install\nnpm test\nnpm start'),
        ]
      : [
          file('bot.mts', sendingProgram(self)),
          env,
          command('Run it with Node 24', 'node --env-file=.env bot.mts'),
        ],
    curl: [env, command('Run it', curl(self))],
    python: [file('bot.py', python), env, command('Run it', 'set -a; . ./.env; python3 bot.py')],
  };
}

/** The name of a bot as that of a folder. */
const folderOf = ({ email }: Bot): string =>
  email.replace(/-bot@.*|@.*/, '').replaceAll(/[^\w-]+/g, '-') || 'bot';

const lines = (...all: readonly string[]): string => all.join('\n');
const file = (label: string, text: string): Snippet => ({ label, text, full: text });
const command = file;

const portOf = (url: string | undefined): string =>
  (url === undefined ? undefined : URL.parse(url)?.port) || '8080';

/** Needs no package: it runs in an empty folder. */
const sendingProgram = (to: number) => `const { BOT_SITE, BOT_EMAIL, BOT_API_KEY } = process.env;
const response = await fetch(\`\${BOT_SITE}/api/v1/messages\`, {
  method: 'POST',
  headers: { authorization: \`Basic \${btoa(\`\${BOT_EMAIL}:\${BOT_API_KEY}\`)}\` },
  body: new URLSearchParams({ type: 'direct', to: '[${to}]', content: 'Hello!' }),
});
console.log(await response.json());
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
