import { Proxies } from '@bellhop/http/proxy';
import { FEATURE_LEVEL, PUBLIC_FEATURE_LEVEL } from '@bellhop/protocol';
import { z } from 'zod';

import { fileSettings, filesFaults, fileVariables, httpUrl } from './files/file-variables.ts';

const url = httpUrl('https://chat.example.com');
/** Realms are found by comparing hosts: lower case, without a final dot and the default port. */
function inOneForm(text: string): string {
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/\/$/, '');
}
const wholeNumber = (min: number, max?: number) => {
  const error = `must be a whole number from ${min} ${max === undefined ? 'on' : `to ${max}`}`;
  return z.coerce
    .number(error)
    .int(error)
    .min(min, error)
    .max(max ?? Number.MAX_SAFE_INTEGER, error);
};
const trueOrFalse = (fallback: 'true' | 'false') =>
  z.stringbool({ error: 'must be true or false' }).prefault(fallback);
const seconds = (max: number) => {
  const error = `must be a number of seconds above 0, up to ${max}`;
  return z.coerce.number(error).positive(error).max(max, error);
};
const commaSeparated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
const secondsList = (fallback: string) =>
  z
    .string()
    .regex(/^(none|\d+(\.\d+)?(,\d+(\.\d+)?)*)$/, 'write seconds as 1,5,30, or none')
    .default(fallback)
    .transform((text) => (text === 'none' ? [] : text.split(',').map(Number)));
const rateLimitRules = (fallback: string) =>
  z
    .string()
    .regex(/^\d+\/\d+(,\d+\/\d+)*$/, 'write rules as count/seconds: 200/60,2000/3600')
    .default(fallback)
    .transform((text) =>
      text.split(',').map((rule) => {
        const [count = 0, seconds = 0] = rule.split('/').map(Number);
        return { count, seconds };
      }),
    );

function isProxy(https: string | undefined): boolean {
  try {
    return Boolean(new Proxies({ https }));
  } catch {
    return false;
  }
}

/** All environment variables of the server. The first two are required. */
const Environment = z.object({
  BELLHOP_SECRET: z.string().min(32, 'must be 32 characters or more').meta({
    description: 'Secret that encrypts API keys and webhook tokens: 32 characters or more',
  }),
  BELLHOP_EXTERNAL_URL: url.transform(inOneForm).meta({
    description:
      'Public URL of the server, such as https://chat.example.com; realms are its subdomains',
  }),
  BELLHOP_HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on' }),
  BELLHOP_PORT: wholeNumber(0, 65_535).default(4600).meta({
    description: 'Port to listen on; 0 chooses a free port',
  }),
  BELLHOP_METRICS_PORT: wholeNumber(0, 65_535).optional().meta({
    description:
      'Port that serves /metrics to Prometheus without a login; 0 chooses a free port; unset: no metrics',
  }),
  BELLHOP_METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address to serve /metrics on' }),
  BELLHOP_STOP_DELAY: wholeNumber(0, 300).default(5).meta({
    description:
      'Seconds for which /readyz answers 503 after SIGTERM, before the port closes: as long as a proxy takes to notice',
  }),
  BELLHOP_DATABASE_WAIT: wholeNumber(0, 86_400).default(120).meta({
    description:
      'Seconds for which a start waits for a database that cannot be reached, is starting or is a standby; 0: not at all',
  }),
  BELLHOP_BEHIND_PROXY: trueOrFalse('false').meta({
    description:
      'Trust the last entry of X-Forwarded-For, -Proto and -Host, which a reverse proxy has to set. The header Forwarded (RFC 7239) is not read',
  }),
  BELLHOP_PUBLIC_CLIENTS: commaSeparated
    .refine(
      (names) => names.every((name) => /^[^\s/(]{1,30}$/.test(name)),
      'write the first words of User-Agents, without versions: Java-http-client,MyClient',
    )
    .meta({
      description:
        'Further clients that were made for public servers, by the first word of their User-Agent: Java-http-client,MyClient. They get the public names of values, as clients with zulip in their name do',
    }),
  BELLHOP_PUBLIC_FEATURE_LEVEL: wholeNumber(FEATURE_LEVEL, PUBLIC_FEATURE_LEVEL)
    .default(PUBLIC_FEATURE_LEVEL)
    .meta({
      description:
        'Feature level that clients of the public API are told (zulip_feature_level): a lower one keeps them from using what came later',
    }),
  BELLHOP_BOUNCER_URL: url
    .optional()
    .meta({ description: 'URL of the push bouncer; unset: no push notifications' }),
  BELLHOP_BOUNCER_ORG_ID: z
    .uuid('must be a UUID')
    .optional()
    .meta({ description: 'UUID of this server at the push bouncer' }),
  BELLHOP_BOUNCER_ORG_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{64}$/, 'must be 64 letters and digits')
    .optional()
    .meta({ description: 'Key of this server at the push bouncer: 64 letters and digits' }),
  BELLHOP_BOUNCER_REGISTRATION_TOKEN: z
    .string()
    .max(200, 'must be at most 200 characters')
    .optional()
    .meta({
      description:
        'Registration token of the push bouncer; unset: its operator lists BELLHOP_BOUNCER_ORG_ID',
    }),
  HTTPS_PROXY: z
    .string()
    .optional()
    .refine(isProxy, 'must be the address of an HTTP proxy such as http://proxy.example.com:3128')
    .meta({
      description:
        'HTTP proxy for the connection to the push bouncer, if its URL is https; also https_proxy',
    }),
  NO_PROXY: z.string().optional().meta({
    description:
      'Hosts, .domains and networks that are reached without HTTPS_PROXY, separated by commas; also no_proxy',
  }),
  BELLHOP_PUSH_PADDING: trueOrFalse('false').meta({
    description:
      'Pad push notifications to one of five sizes, so that providers do not learn their length',
  }),
  BELLHOP_ADMIN_EMAIL: z.email('must be an e-mail address').optional().meta({
    description:
      'Contact address for the operators of the push bouncer (default admin@ the external host)',
  }),
  BELLHOP_WEBHOOK_ALLOW: commaSeparated.meta({
    description:
      'Private networks that outgoing webhooks may reach, in CIDR notation: 10.1.0.0/16,127.0.0.0/8',
  }),
  BELLHOP_WEBHOOK_TIMEOUT: seconds(60).default(10).meta({
    description: 'Seconds until an outgoing webhook must have sent its whole response',
  }),
  BELLHOP_WEBHOOK_RETRY: secondsList('1,5,30,120,240').meta({
    description:
      'Seconds before each retry of an outgoing webhook that is unreachable or too slow, or none',
  }),
  BELLHOP_DELIVERY_DAYS: wholeNumber(1, 3650).default(14).meta({
    description: 'Days until the record of a delivery to an outgoing webhook is deleted',
  }),
  BELLHOP_DELIVERIES_PER_BOT: wholeNumber(1, 1_000_000).default(1000).meta({
    description: 'Maximum number of recorded deliveries of an outgoing webhook bot',
  }),
  BELLHOP_MAX_BOTS_PER_USER: wholeNumber(0).default(100).meta({
    description: 'Maximum number of active bots of a user',
  }),
  BELLHOP_MAX_UPLOAD_MIB: wholeNumber(1, 2048).default(100).meta({
    description: 'Maximum size of an uploaded file, in MiB',
  }),
  BELLHOP_UPLOAD_QUOTA_MIB: wholeNumber(0).default(10_240).meta({
    description: 'Maximum total size of the uploads of an organization, in MiB',
  }),
  BELLHOP_UPLOAD_QUOTA_USER_MIB: wholeNumber(0).default(1024).meta({
    description: 'Maximum total size of the uploads of a user, bots included, in MiB',
  }),
  ...fileVariables,
  BELLHOP_RATE_LIMIT_USER: rateLimitRules('200/60,2000/3600').meta({
    description: 'Maximum requests of a user, as count/seconds',
  }),
  BELLHOP_RATE_LIMIT_IP: rateLimitRules('100/60').meta({
    description: 'Maximum requests without a login from an IP address, as count/seconds',
  }),
  BELLHOP_RATE_LIMIT_LOGIN: rateLimitRules('5/1800').meta({
    description:
      'Maximum failed logins with an email address from one IP address, as count/seconds',
  }),
  BELLHOP_WEB_PUBLIC_CHANNELS: trueOrFalse('true').meta({
    description:
      'Whether organizations may have channels that are read without a login, if they switch it on',
  }),
  BELLHOP_INVITE_MINUTES: wholeNumber(1, 52_560_000).default(14_400).meta({
    description: 'Minutes until an invitation expires whose sender does not say when',
  }),
  BELLHOP_DAILY_INVITES_USER: wholeNumber(0).default(200).meta({
    description: 'Maximum invitations by e-mail that a user sends in a day',
  }),
  BELLHOP_DAILY_INVITES_REALM: wholeNumber(0).default(1000).meta({
    description: 'Maximum invitations by e-mail that an organization sends in a day',
  }),
  BELLHOP_DAILY_MAILS_IP: wholeNumber(0).default(5).meta({
    description: 'Maximum mails that an IP address asks for without a login in a day',
  }),
  BELLHOP_DAILY_EMAIL_CHANGES_USER: wholeNumber(0).default(5).meta({
    description: 'Maximum new e-mail addresses that a user asks for in a day',
  }),
  BELLHOP_SMTP_HOST: z.string().max(253, 'must be at most 253 characters').optional().meta({
    description: 'Host name of the SMTP server; unset: mails are written to BELLHOP_MAIL_OUTBOX',
  }),
  BELLHOP_SMTP_PORT: wholeNumber(1, 65_535).default(587).meta({
    description: 'Port of the SMTP server',
  }),
  BELLHOP_SMTP_SECURITY: z
    .enum(['starttls', 'tls', 'none'], 'must be starttls, tls or none')
    .default('starttls')
    .meta({
      description:
        'How to reach the SMTP server: starttls, tls (mostly port 465), or none on a trusted network',
    }),
  BELLHOP_SMTP_USER: z
    .string()
    .optional()
    .meta({ description: 'User name at the SMTP server; unset: no login' }),
  BELLHOP_SMTP_PASSWORD: z.string().optional().meta({ description: 'Password at the SMTP server' }),
  BELLHOP_MAIL_FROM: z.email('must be an e-mail address').optional().meta({
    description: 'Address that mails come from (default noreply@ the external host)',
  }),
  BELLHOP_MAIL_OUTBOX: z.string().min(1).default('.bellhop-server/outbox').meta({
    description: 'Directory that keeps the newest 500 mails if there is no BELLHOP_SMTP_HOST',
  }),
  BELLHOP_MAIL_OUTBOX_READABLE: trueOrFalse('false').meta({
    description:
      'Whether owners of an organization read its mails of the outbox by GET /mails and in the console: only on a server for trying out, since the links of the mails sign other people in',
  }),
  BELLHOP_MAIL_RETRY: secondsList('30,120,600,3600,14400,28800').meta({
    description: 'Seconds before each retry of a mail that the SMTP server does not take',
  }),
  BELLHOP_LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'must be trace, debug, info, warn, error or silent',
    )
    .default('info')
    .meta({ description: 'Log level: trace, debug, info, warn, error or silent' }),
});

const Configuration = Environment.superRefine((env, context) => {
  for (const [name, message] of filesFaults(env))
    context.addIssue({ code: 'custom', path: [name], message });
}).transform((env) => ({
  secret: env.BELLHOP_SECRET,
  externalUrl: env.BELLHOP_EXTERNAL_URL,
  host: env.BELLHOP_HOST,
  port: env.BELLHOP_PORT,
  metrics:
    env.BELLHOP_METRICS_PORT === undefined
      ? undefined
      : { host: env.BELLHOP_METRICS_HOST, port: env.BELLHOP_METRICS_PORT },
  stopDelaySeconds: env.BELLHOP_STOP_DELAY,
  databaseWaitSeconds: env.BELLHOP_DATABASE_WAIT,
  behindProxy: env.BELLHOP_BEHIND_PROXY,
  publicClients: env.BELLHOP_PUBLIC_CLIENTS,
  publicFeatureLevel: env.BELLHOP_PUBLIC_FEATURE_LEVEL,
  bouncer:
    env.BELLHOP_BOUNCER_URL && env.BELLHOP_BOUNCER_ORG_ID && env.BELLHOP_BOUNCER_ORG_KEY
      ? {
          url: env.BELLHOP_BOUNCER_URL,
          orgId: env.BELLHOP_BOUNCER_ORG_ID,
          orgKey: env.BELLHOP_BOUNCER_ORG_KEY,
          registrationToken: env.BELLHOP_BOUNCER_REGISTRATION_TOKEN,
        }
      : undefined,
  proxies: new Proxies({ https: env.HTTPS_PROXY, no: env.NO_PROXY }),
  padsPushes: env.BELLHOP_PUSH_PADDING,
  ...(env.BELLHOP_ADMIN_EMAIL ? { adminEmail: env.BELLHOP_ADMIN_EMAIL } : {}),
  webhookAllow: env.BELLHOP_WEBHOOK_ALLOW,
  webhookTimeoutMs: env.BELLHOP_WEBHOOK_TIMEOUT * 1000,
  webhookRetrySeconds: env.BELLHOP_WEBHOOK_RETRY,
  deliveryDays: env.BELLHOP_DELIVERY_DAYS,
  deliveriesPerBot: env.BELLHOP_DELIVERIES_PER_BOT,
  maxBotsPerUser: env.BELLHOP_MAX_BOTS_PER_USER,
  maxUploadMib: env.BELLHOP_MAX_UPLOAD_MIB,
  uploadQuotaMib: env.BELLHOP_UPLOAD_QUOTA_MIB,
  userUploadQuotaMib: env.BELLHOP_UPLOAD_QUOTA_USER_MIB,
  files: fileSettings(env),
  rateLimits: {
    user: env.BELLHOP_RATE_LIMIT_USER,
    ip: env.BELLHOP_RATE_LIMIT_IP,
    login: env.BELLHOP_RATE_LIMIT_LOGIN,
  },
  webPublicChannels: env.BELLHOP_WEB_PUBLIC_CHANNELS,
  inviteMinutes: env.BELLHOP_INVITE_MINUTES,
  dailyLimits: {
    invitesOfUser: env.BELLHOP_DAILY_INVITES_USER,
    invitesOfRealm: env.BELLHOP_DAILY_INVITES_REALM,
    mailsOfAddress: env.BELLHOP_DAILY_MAILS_IP,
    emailChangesOfUser: env.BELLHOP_DAILY_EMAIL_CHANGES_USER,
  },
  mail: {
    from: env.BELLHOP_MAIL_FROM ?? `noreply@${new URL(env.BELLHOP_EXTERNAL_URL).hostname}`,
    outbox: env.BELLHOP_MAIL_OUTBOX,
    isOutboxReadable: env.BELLHOP_MAIL_OUTBOX_READABLE,
    retrySeconds: env.BELLHOP_MAIL_RETRY,
    smtp:
      env.BELLHOP_SMTP_HOST === undefined
        ? undefined
        : {
            host: env.BELLHOP_SMTP_HOST,
            port: env.BELLHOP_SMTP_PORT,
            security: env.BELLHOP_SMTP_SECURITY,
            user: env.BELLHOP_SMTP_USER,
            password: env.BELLHOP_SMTP_PASSWORD,
          },
  },
  logLevel: env.BELLHOP_LOG_LEVEL,
}));

/** The checked configuration of the server. */
export type Config = z.output<typeof Configuration>;

/**
 * Reads the environment; an empty variable counts as missing. Throws an Error that names every missing or
 * invalid variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { HTTPS_PROXY = set['https_proxy'], NO_PROXY = set['no_proxy'] } = set;
  const parsed = Configuration.safeParse({ ...set, HTTPS_PROXY, NO_PROXY });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Invalid configuration:\n${lines.join('\n')}`);
}

interface Described {
  readonly description?: string;
  readonly default?: unknown;
}

/** Says the default of a variable, unless it is the empty text. */
const describe = ({ description = '', default: fallback = '' }: Described) =>
  fallback === '' ? description : `${description} (default ${String(fallback)})`;

/** The environment variables for --help; a description ends with the default in brackets. */
export const variables = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  description: describe(z.toJSONSchema(schema, { io: 'input' }) as Described),
  required: !schema.safeParse(undefined).success,
}));
