import type { BotOptions, SessionBotOptions, SessionsBotOptions } from '../bot-options.ts';
import { type SessionOptions, type Sessions, sessions } from '../sessions/sessions.ts';
import { severalSessions } from '../sessions/several-sessions.ts';

export type AnyBotOptions =
  | BotOptions
  | SessionBotOptions<unknown>
  | SessionsBotOptions<Readonly<Record<string, unknown>>>;

/** The sessions of a bot; undefined if it has none. */
export function storedSessions(
  options: AnyBotOptions,
  where: Pick<SessionOptions<unknown>, 'store'>,
): Sessions<unknown> | undefined {
  if ('session' in options) return sessions({ ...options.session, ...where });
  if (!('sessions' in options)) return undefined;
  const byName = Object.entries(options.sessions).map(([name, one]) => [
    name,
    sessions({ ...one, ...where, name: `session-${name}` }),
  ]);
  return severalSessions(Object.fromEntries(byName) as Record<string, Sessions<unknown>>);
}
