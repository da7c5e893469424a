import type { App } from './app.ts';
import { bellhop } from './apps/bellhop.ts';
import { express } from './apps/express.ts';
import { nodeHttp } from './apps/node-http.ts';

/** All apps, Bellhop first. */
export const apps: readonly App[] = [
  bellhop,
  nodeHttp,
  express,
  await peer('bolt'),
  await peer('grammy'),
  await peer('probot'),
  await peer('telegraf'),
];

/** Throws if no app has this name. */
export function appNamed(name: string | undefined): App {
  const found = apps.find((app) => app.name === name);
  if (found === undefined) throw new Error(`Give one of ${apps.map((app) => app.name).join(', ')}`);
  return found;
}

/**
 * An app of test/bench/peers. The path is computed, so that the compiler does not follow it to
 * frameworks that are installed only for benchmarks.
 */
async function peer(file: string): Promise<App> {
  const { app } = (await import(`../peers/${file}.ts`)) as { app: App };
  return app;
}
