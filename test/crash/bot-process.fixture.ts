import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The settings of test/crash/bot-program.ts, as environment variables. */
export interface BotSettings {
  readonly BOT_EMAIL: string;
  readonly BOT_TOKEN: string;
  readonly BOT_SITE: string;
  readonly BOT_API_KEY: string;
  readonly STORE_URL: string;
  readonly TRANSPORT: 'webhook' | 'queue';
  /** How many times faster than the machine's the clock of the bot runs. */
  readonly SPEED: string;
}

export interface BotProcess {
  /** The port of a bot behind a webhook; NaN on the event queue. */
  readonly port: number;
  readonly kill: () => Promise<void>;
  /** SIGTERM: it takes no more messages, and ends when its handlers have ended. */
  readonly stop: () => Promise<void>;
}

const program = fileURLToPath(new URL('./bot-program.ts', import.meta.url));

/** Starts a process of a bot. Resolves when it receives messages. */
export async function startBotProcess(settings: BotSettings): Promise<BotProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    exited.then(() => reject(new Error('The bot ended before it was ready')), reject);
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return { port: Number(url), kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
