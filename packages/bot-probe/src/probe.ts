import type { Group } from './check.ts';
import { credentials } from './checks/credentials.ts';
import { genuine } from './checks/genuine.ts';
import { malformed } from './checks/malformed.ts';
import { repeats } from './checks/repeats.ts';
import { size } from './checks/size.ts';
import { slowness } from './checks/slowness.ts';
import { fault, type Finding } from './finding.ts';
import { isAlive } from './is-alive.ts';
import { targetAt } from './target.ts';

export type { Finding, Verdict } from './finding.ts';

export interface ProbeOptions {
  readonly bot_email: string;
  /** The token of the bot's outgoing webhook. */
  readonly token: string;
  /** As messages mention it; the part of the address before `-bot@` unless said otherwise. */
  readonly bot_full_name?: string;
  /** What the messages say: the bot really handles them. "hello" unless said otherwise. */
  readonly content?: string;
  /** How long a server waits for an answer: 10 s. */
  readonly deadlineMs?: number;
  /** How long slow and endless requests are kept up: 12 s. */
  readonly slowMs?: number;
  /** Told of each finding as it is made. */
  readonly onFinding?: (finding: Finding) => void;
  readonly signal?: AbortSignal;
}

const groups: readonly Group[] = [genuine, repeats, credentials, malformed, size, slowness];

/**
 * Finds out what an endpoint of a bot, in any language, does with deliveries that are genuine,
 * repeated, forged, malformed, huge and slow. Sends to this address and to no other. An endpoint
 * that is gone half way is not asked any more. Throws a TypeError for what is no HTTP address, or
 * when the signal is aborted.
 */
export async function probe(url: string, options: ProbeOptions): Promise<Finding[]> {
  const { protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`${url} is no HTTP address.`);
  const { bot_email, token, content = 'hello', onFinding = () => {}, signal } = options;
  const target = targetAt(url, {
    bot_email,
    token,
    bot_full_name: options.bot_full_name ?? bot_email.replace(/(-bot)?@.*/, ''),
    content,
    deadlineMs: options.deadlineMs ?? 10_000,
    slowMs: options.slowMs ?? 12_000,
    ...(signal ? { signal } : {}),
  });
  const findings: Finding[] = [];
  const add = (finding: Finding) => {
    findings.push(finding);
    onFinding(finding);
  };
  for (const { group, checks } of groups) {
    if (!(await isAlive(target))) {
      signal?.throwIfAborted();
      const advice =
        findings.length === 0
          ? 'Check the address, and that the bot is running.'
          : 'See what the last checks did to it; the rest was not tried.';
      add({ group, check: 'the endpoint answers', ...fault('no answer at all', advice) });
      break;
    }
    for (const { check, run } of checks) {
      const outcome = await run(target);
      signal?.throwIfAborted();
      add({ group, check, ...outcome });
    }
  }
  return findings;
}
