import type { CheckGroup } from './check.ts';
import { credentials } from './checks/credentials.ts';
import { genuine } from './checks/genuine.ts';
import { malformed } from './checks/malformed.ts';
import { repeats } from './checks/repeats.ts';
import { size } from './checks/size.ts';
import { slowness } from './checks/slowness.ts';
import { fault, type Finding } from './finding.ts';
import { greet } from './is-alive.ts';
import { targetAt } from './target.ts';

export type { Finding, Severity } from './finding.ts';

export interface ProbeOptions {
  readonly botEmail: string;
  /** The token of the bot's outgoing webhook. */
  readonly token: string;
  /** The name in mentions; the default is the part of the address before `-bot@`. */
  readonly botFullName?: string;
  /** The content of the messages, which the bot really handles; the default is "hello". */
  readonly content?: string;
  /** How long a server waits for an answer; the default is 10 s. */
  readonly deadlineMs?: number;
  /** How long slow and endless requests last; the default is 12 s. */
  readonly slowMs?: number;
  /** Called with each finding at once. */
  readonly onFinding?: (finding: Finding) => void;
  readonly signal?: AbortSignal;
}

const groups: readonly CheckGroup[] = [genuine, repeats, credentials, malformed, size, slowness];

/**
 * Checks how an endpoint of a bot, in any language, answers genuine, repeated, forged, malformed,
 * huge and slow requests. Sends requests only to `url`. Stops when the endpoint does not answer any
 * more. Rejects with a TypeError if `url` is not an HTTP address, and with the reason of `signal`
 * when it is aborted.
 */
export async function probe(url: string, options: ProbeOptions): Promise<Finding[]> {
  const { protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`${url} is not an HTTP address.`);
  const { botEmail, token, content = 'hello', onFinding = () => {}, signal } = options;
  const target = targetAt(url, {
    botEmail,
    token,
    botFullName: options.botFullName ?? botEmail.replace(/(-bot)?@.*/, ''),
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
    const greeted = await greet(target);
    if (greeted.kind !== 'response') {
      signal?.throwIfAborted();
      const advice =
        findings.length === 0
          ? 'Check the address, that the bot is running, and its log.'
          : 'It stopped answering after the last checks; the remaining checks were skipped.';
      add({ group, check: 'the endpoint answers', ...fault(greeted.reason, advice) });
      break;
    }
    for (const { check, run } of checks) {
      const result = await run(target);
      signal?.throwIfAborted();
      add({ group, check, ...result });
    }
  }
  return findings;
}
