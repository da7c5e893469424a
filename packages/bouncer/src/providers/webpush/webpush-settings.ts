import { isIP } from 'node:net';

import { createOutbound } from '@bellhop/http/outbound';
import { normalHost } from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import { usable } from '../../settings/entry-fields.ts';
import { providerSettings, SenderName } from '../provider-settings.ts';
import { vapidPublicKey } from './vapid-token.ts';

const DEFAULT_HOSTS = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];
/** A host, or `*.` with a suffix, perhaps with a port; or `any`. */
export const Host = z.string().transform((text, context) => {
  const [, any = '', rest = ''] = /^(\*\.)?(.*)$/s.exec(text) ?? [];
  const host = normalHost(isIP(rest) === 6 ? `[${rest}]` : rest);
  if (host !== undefined && (any === '' || !host.startsWith('['))) return any + host;
  context.addIssue('must be a host name such as push.example.com or *.example.com, or any');
  return z.NEVER;
});
const NOT_A_NETWORK = 'must be a network such as 10.0.0.0/8';
/** An address or a range of addresses. */
const Network = z.string().max(60, NOT_A_NETWORK).refine(isNetwork, { error: NOT_A_NETWORK });
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

function isNetwork(text: string): boolean {
  try {
    void createOutbound({ allow: [text] }).close();
    return true;
  } catch {
    return false;
  }
}

const entry = z.object({
  name: SenderName.default('webpush'),
  vapid_key: usable(z.string(), vapidPublicKey).meta({
    env: 'BELLHOP_BOUNCER_VAPID_KEY',
    description:
      'Private VAPID key, base64url ("bellhop secrets vapid"); unset: no notifications to browsers',
    secret: true,
  }),
  subject: Subject.meta({
    env: 'BELLHOP_BOUNCER_VAPID_SUBJECT',
    description: 'mailto: or https: address at which push services reach you',
  }),
  hosts: z
    .array(Host)
    .min(1, 'must list a host')
    .max(
      1_000,
      'lists more than 1000 hosts: write *.example.com for all hosts below example.com, or any',
    )
    .refine((hosts) => hosts.length === 1 || !hosts.includes('any'), {
      error: 'lists hosts beside any, which means all hosts: keep any or the hosts',
    })
    .default(DEFAULT_HOSTS)
    .meta({
      env: 'BELLHOP_BOUNCER_WEBPUSH_HOSTS',
      description:
        'Hosts of push services that browsers may register with, separated by commas, with the port unless it is 443; *.example.com: all below it; any: every public host',
    }),
  allow: z
    .array(Network)
    .max(1_000, 'lists more than 1000 networks: write wider ones, such as 10.0.0.0/8')
    .default([])
    .meta({
      env: 'BELLHOP_BOUNCER_WEBPUSH_ALLOW',
      description:
        'Networks that push services may be in beside public addresses, such as 10.0.0.0/8, separated by commas',
    }),
});

/** The VAPID key that browsers have subscribed with. */
export const webPushSettings = providerSettings<'webpush', typeof entry>({
  entry,
  secret: 'vapid_key',
  secretTitle: 'the VAPID key',
  facts: ({ name }) => ({
    name,
    apps: undefined,
    isDefault: true,
    environments: ['production'],
  }),
  configOf: ({ vapid_key: privateKey, subject, hosts, allow }) => ({
    privateKey,
    publicKey: vapidPublicKey(privateKey),
    subject,
    hosts: hosts.includes('any') ? 'any' : hosts,
    allow,
  }),
});
