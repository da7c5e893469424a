// One version of a bot under `bellhop bot dev`: loads the module and handles the deliveries it is sent.
import { existsSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { botOptions } from '@bellhop/bot';
import type { DeliveryInfo } from '@bellhop/bot/hooks';
import { fileStore } from '@bellhop/bot/stores/file';

import { UserError } from '../../command-line/user-error.ts';
import { frameworkOf, loadBot, rethrowBotError } from '../bot-module.ts';
import { deliveryPrinter } from './delivery-printer.ts';
import type { Given, Loaded, Progress, ToBot } from './newest-bot.ts';

const [path = '', storeDir = ''] = process.argv.slice(2);
const files = new Set([path]);
/** The project of the bot: its author does not change files elsewhere. */
let project = dirname(path) + sep;

// Ctrl-C reaches this process too; it ends when its parent asks for that or has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));

function note(url: string | undefined): void {
  const file = url?.startsWith('file:') ? fileURLToPath(url) : '';
  if (file.startsWith(project) && !file.includes(`${sep}node_modules${sep}`)) files.add(file);
}
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.')) note(URL.parse(specifier, context.parentURL)?.href);
    const found = next(specifier, context);
    note(found.url);
    return found;
  },
});

async function load() {
  if (!existsSync(path)) throw new UserError(`There is no ${basename(path)}.`);
  project = dirname(findPackageJSON(pathToFileURL(path)) ?? path) + sep;
  const { createRest, observe, Runtime } = await frameworkOf(path, '@bellhop/bot/internals');
  const makeBot = await loadBot(path);
  const options = botOptions();
  if (options.api === undefined) throw new Error('The bot has no API key.');
  const store = fileStore(storeDir);
  const bot = makeBot({ ...options, store });
  const { hooks, onAction, onWork, heard } = deliveryPrinter();
  const rest = createRest({ ...options.api, email: bot.email });
  const waiting: Given[] = [];
  const around = <T>({ messageId, trigger }: DeliveryInfo, run: () => Promise<T>): Promise<T> => {
    const at = waiting.findIndex(
      ({ delivery }) => delivery.message.id === messageId && delivery.trigger === trigger,
    );
    for (const { number } of at < 0 ? [] : waiting.splice(at, 1)) tell({ begins: number });
    return run();
  };
  const runtimeWith = (onDone: typeof onAction) =>
    new Runtime(bot, {
      hooks: { ...hooks, around },
      place: 'process',
      // Deliveries are not recorded in the store: one that was handled can be handled again.
      instead: { rest: observe(rest, onDone), store: undefined },
    });
  const open = () => runtimeWith(onAction);
  let runtime = open();
  let work: Promise<() => Promise<void>> | undefined;
  const handling = new Set<Promise<void>>();

  async function handle(given: Given) {
    const { number, delivery, again } = given;
    // A runtime handles a delivery once.
    if (again) runtime = open();
    heard(delivery, again);
    waiting.push(given);
    await runtime.dispatcher.handle(delivery, { maybeSent: false });
    const at = waiting.indexOf(given);
    if (at >= 0) waiting.splice(at, 1);
    tell({ ended: number });
  }
  async function stop() {
    await (
      await work
    )?.();
    await Promise.all(handling);
    await store.close();
    process.exit(0);
  }
  process.on('message', (message: ToBot) => {
    if (message === 'start') work = runtimeWith(onWork).startWork();
    else if (message === 'stop') void stop();
    else {
      const handled = handle(message);
      handling.add(handled);
      void handled.then(() => handling.delete(handled));
    }
  });
}

/** Tells the parent, if it still lives. */
const tell = (progress: Progress) => void process.send?.(progress, () => undefined);
const report = (result: Loaded, then = () => {}) => void process.send?.(result, then);
load()
  .catch(rethrowBotError(path))
  .then(
    () => report({ files: [...files] }),
    ({ message }: Error) => report({ files: [...files], trouble: message }, () => process.exit(1)),
  );
