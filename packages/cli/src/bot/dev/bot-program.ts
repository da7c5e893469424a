// The process of a bot under `bellhop bot dev`: loads the module and handles the messages it is sent.
import { findPackageJSON, registerHooks } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { botOptions } from '@bellhop/bot';

import { frameworkOf, loadBot } from '../bot-module.ts';
import { rethrowBotError } from '../rethrow-bot-error.ts';
import { deliveryPrinter } from './delivery-printer.ts';
import type { FromBot, ToBot } from './dev-wire.ts';
import { remoteStore } from './remote-store.ts';
import { workbench } from './workbench.ts';

const [path = ''] = process.argv.slice(2);
const files = new Set([path]);
/** The project of the bot: its author does not change files elsewhere. */
const project = dirname(findPackageJSON(pathToFileURL(path)) ?? path) + sep;
const send = (message: FromBot) => void process.send?.(message);

// Ctrl-C reaches this process too; it ends when its parent asks for that or has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));

async function load() {
  const hooks = registerHooks({
    load(url, context, next) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : '';
      if (file.startsWith(project) && !url.includes('/node_modules/')) files.add(file);
      return next(url, context);
    },
  });
  const internals = await frameworkOf(path, '@bellhop/bot/internals');
  const makeBot = await loadBot(path);
  hooks.deregister();
  const options = botOptions();
  if (options.api === undefined) throw new Error('The bot has no API key.');
  const { store, settle } = remoteStore((number, call) => send({ kind: 'store', number, call }));
  const { onAction, ...printer } = deliveryPrinter();
  const { hooks: told } = printer;
  const bench = workbench(makeBot, {
    internals,
    options: { ...options, api: options.api, store },
    hooks: told,
    onAction,
  });
  return { bench, printer, settle };
}

const loading = load().catch(rethrowBotError(path));
loading.then(
  ({ bench }) => {
    send({ kind: 'ready', files: [...files] });
    return bench.startWork();
  },
  (error: Error) => {
    process.send?.(
      { kind: 'broken', message: error.message, files: [...files] } satisfies FromBot,
      () => process.exit(1),
    );
  },
);

process.on('message', (message: ToBot) => {
  void loading.then(({ bench, printer, settle }) => {
    if (message.kind === 'stored') settle(message);
    else if (message.kind === 'stop') void bench.stop().then(() => process.exit(0));
    else {
      const { number, payload, again } = message;
      printer.heard(payload, again);
      const said = bench.deliver(payload, again).catch(printer.unsaid);
      void said.then(() => {
        printer.dealtWith(payload);
        send({ kind: 'handled', number });
      });
    }
  });
});
