import { BotError } from './bot-error.ts';

/** Throws BotError `config_invalid` on a Node without the functions that the framework uses. */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return;
  throw new BotError(
    'config_invalid',
    `@bellhop/bot needs Node 22.18 or newer, and this is ${version}: install Node 24.`,
  );
}
