import { createHmac, timingSafeEqual } from 'node:crypto';

import { z } from 'zod';

const Link = z.object({ title: z.string(), html_url: z.url() });
const Event = z.object({
  repository: z.object({ full_name: z.string() }),
  sender: z.object({ login: z.string() }),
  action: z.string().default(''),
  ref: z.string().default(''),
  commits: z.array(z.object({ message: z.string(), url: z.url() })).default([]),
  issue: Link.optional(),
  pull_request: Link.optional(),
});

/** What happened in which repository, as Markdown; undefined for a body that says nothing of it. */
export function readEvent(body: Buffer): { repository: string; text: string } | undefined {
  const { data } = z.preprocess(parsed, Event).safeParse(body.toString());
  return data && { repository: data.repository.full_name, text: textOf(data) };
}

function textOf({ sender, action, ref, commits, issue, pull_request }: z.infer<typeof Event>) {
  const thing = issue ?? pull_request;
  if (thing) return `${sender.login} ${action} [${plain(thing.title)}](${thing.html_url})`;
  const pushed = commits.map(({ message, url }) => `- [${plain(message)}](${url})`);
  return pushed.length > 0
    ? [`${sender.login} pushed to ${plain(ref)}:`, ...pushed].join('\n')
    : '';
}

/** Strangers write titles: nothing in them is Markdown, or mentions anybody. */
const plain = (text: string) => (text.split('\n')[0] ?? '').replaceAll(/[@#[\]*_`\\<>|~$]/g, ' ');

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Whether who sent this knows the secret; takes as long for any signature. */
export function isGenuine(body: Buffer, secret: string, signature = ''): boolean {
  const genuine = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const [one, other] = [Buffer.from(genuine), Buffer.from(signature)];
  return one.length === other.length && timingSafeEqual(one, other);
}
