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

/** The repository of an event and its Markdown text; undefined if the body is not such an event. */
export function readEvent(body: Buffer): { repository: string; text: string } | undefined {
  const { data } = z.preprocess(parseJson, Event).safeParse(body.toString());
  return data && { repository: data.repository.full_name, text: textOf(data) };
}

function textOf({ sender, action, ref, commits, issue, pull_request }: z.infer<typeof Event>) {
  const subject = issue ?? pull_request;
  if (subject) return `${sender.login} ${action} [${plain(subject.title)}](${subject.html_url})`;
  const lines = commits.map(({ message, url }) => `- [${plain(message)}](${url})`);
  return lines.length > 0 ? [`${sender.login} pushed to ${plain(ref)}:`, ...lines].join('\n') : '';
}

/** Removes Markdown and mentions: anybody may write a title. */
const plain = (text: string) => (text.split('\n')[0] ?? '').replaceAll(/[@#[\]*_`\\<>|~$]/g, ' ');

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Whether the signature was made with the secret. Takes equally long for every signature. */
export function isGenuine(body: Buffer, secret: string, signature = ''): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const [left, right] = [Buffer.from(expected), Buffer.from(signature)];
  return left.length === right.length && timingSafeEqual(left, right);
}
