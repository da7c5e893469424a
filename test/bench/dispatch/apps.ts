import type { App } from './app.ts';
import { bellhop } from './apps/bellhop.ts';
import { bolt } from './apps/bolt.ts';
import { express } from './apps/express.ts';
import { grammy } from './apps/grammy.ts';
import { nodeHttp } from './apps/node-http.ts';
import { probot } from './apps/probot.ts';
import { telegraf } from './apps/telegraf.ts';

/** Ours first. */
export const apps: readonly App[] = [bellhop, nodeHttp, express, bolt, grammy, probot, telegraf];

export function appNamed(name: string | undefined): App {
  const found = apps.find((app) => app.name === name);
  if (found === undefined) throw new Error(`Give one of ${apps.map((app) => app.name).join(', ')}`);
  return found;
}
