import { isIP } from 'node:net';

import { createOutbound } from '@bellhop/http/outbound';
import { normalHost } from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import type { VariableReader } from '../../settings/variable-reader.ts';
import { vapidPublicKey } from './vapid-token.ts';

export interface WebPushConfig {
  /** Base64url. */
  readonly privateKey: string;
  /** Base64url: the `applicationServerKey` of browsers. */
  readonly publicKey: string;
  /** `mailto:` or `https:`. */
  readonly subject: string;
  /** Hosts, and `*.` with a suffix; with the port, unless it is 443. */
  readonly hosts: 'any' | readonly string[];
  /** Networks beside public addresses. */
  readonly allow: readonly string[];
}

const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));
/** A host, or `*.` with a suffix, perhaps with a port; or `any`. */
export const Host = z.string().transform((text, context) => {
  const [, any = '', rest = ''] = /^(\*\.)?(.*)$/s.exec(text) ?? [];
  const host = normalHost(isIP(rest) === 6 ? `[${rest}]` : rest);
  if (host !== undefined && (any === '' || !host.startsWith('['))) return any + host;
  context.addIssue('must be host names such as push.example.com or *.example.com, or any');
  return z.NEVER;
});
const Hosts = list.pipe(z.array(Host));
/** An address or a range of addresses. */
export const Network = z
  .string()
  .max(60)
  .refine(isNetwork, { error: 'must be a network such as 10.0.0.0/8' });
/** Names that nobody reaches from outside; push services refuse some of them (Apple: BadJwtToken). */
const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|invalid|test|onion|arpa)$/;

/** The address at which a push service reaches the operator (RFC 8292). */
export const Subject = z.string().transform((text, context) => {
  const problem = subjectProblem(text);
  if (problem === undefined) return text;
  context.addIssue(
    `${problem}; it must be one such as mailto:push@example.com or https://example.com`,
  );
  return z.NEVER;
});

function subjectProblem(text: string): string | undefined {
  const address = /^mailto:(.*)$/s.exec(text)?.[1];
  const url = /^https:\/\/\S+$/.test(text) ? URL.parse(text) : null;
  if (address === undefined && (!url || url.username !== ''))
    return 'is no address with mailto: or https:';
  const host = normalHost(address?.split('@').at(-1) ?? url?.hostname ?? '');
  if (host !== undefined && (isIP(host) !== 0 || host.startsWith('[')))
    return 'names an IP address instead of a domain';
  if (host !== undefined && (!host.includes('.') || PRIVATE_NAME.test(host)))
    return `names ${host}, which push services cannot reach`;
  const isOne = address === undefined || z.email().max(254).safeParse(address).success;
  return isOne && host !== undefined ? undefined : 'is not exactly one e-mail address with mailto:';
}

/** Undefined if no VAPID key is set, or if something is wrong. */
export function readWebPushConfig(reader: VariableReader): WebPushConfig | undefined {
  reader.requireFor('BELLHOP_BOUNCER_VAPID_KEY', ['BELLHOP_BOUNCER_VAPID_SUBJECT']);
  const privateKey = reader.text('BELLHOP_BOUNCER_VAPID_KEY');
  if (privateKey === undefined) return undefined;
  const subject = reader.require('BELLHOP_BOUNCER_VAPID_SUBJECT', Subject);
  const hosts = reader.parse('BELLHOP_BOUNCER_WEBPUSH_HOSTS', Hosts) ?? [];
  const allow = reader.parse('BELLHOP_BOUNCER_WEBPUSH_ALLOW', list) ?? [];
  let publicKey: string | undefined;
  reader.check('BELLHOP_BOUNCER_VAPID_KEY', () => (publicKey = vapidPublicKey(privateKey)));
  reader.check('BELLHOP_BOUNCER_WEBPUSH_ALLOW', () => void createOutbound({ allow }).close());
  if (publicKey === undefined || subject === undefined) return undefined;
  return { privateKey, publicKey, subject, hosts: permittedHosts(hosts), allow };
}

export const permittedHosts = (hosts: readonly string[]): WebPushConfig['hosts'] =>
  hosts.includes('any') ? 'any' : hosts;

function isNetwork(text: string): boolean {
  try {
    void createOutbound({ allow: [text] }).close();
    return true;
  } catch {
    return false;
  }
}
