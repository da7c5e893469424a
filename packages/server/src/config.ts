import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ });
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
const seconds = (fallback: string) =>
  z
    .string()
    .regex(/^(\d+(\.\d+)?(,\d+(\.\d+)?)*)?$/, 'write seconds as 1,5,30')
    .default(fallback)
    .transform((text) => text.split(',').filter(Boolean).map(Number));
const rules = (fallback: string) =>
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

/** Every variable of the environment the server reads. Only the first two have no default. */
const Environment = z.object({
  BELLHOP_SECRET: z.string().min(32).meta({
    description: 'Encrypts API keys and webhook tokens; at least 32 characters, keep it safe',
  }),
  BELLHOP_EXTERNAL_URL: url.meta({
    description: 'The address people use; realms are its subdomains: https://chat.example.com',
  }),
  BELLHOP_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on (127.0.0.1)' }),
  BELLHOP_PORT: z.coerce.number().int().min(0).max(65_535).default(4600).meta({
    description: 'Port to listen on; 0 is any free one (4600)',
  }),
  BELLHOP_BEHIND_PROXY: z
    .stringbool()
    .default(false)
    .meta({ description: 'Believe X-Forwarded-* headers (false)' }),
  BELLHOP_BOUNCER_URL: url.optional().meta({ description: 'The push bouncer; without it no push' }),
  BELLHOP_BOUNCER_ORG_ID: z.uuid().optional().meta({ description: 'This server at the bouncer' }),
  BELLHOP_BOUNCER_ORG_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{64}$/, 'must be 64 letters and digits')
    .optional()
    .meta({ description: 'What it authenticates by there: 64 letters and digits' }),
  BELLHOP_ADMIN_EMAIL: z.email().optional().meta({
    description: 'Whom the operators of the push bouncer may write to; else admin@ this host',
  }),
  BELLHOP_WEBHOOK_ALLOW: list.meta({
    description:
      'Private networks that outgoing webhooks may reach, as CIDR: 10.1.0.0/16,127.0.0.0/8',
  }),
  BELLHOP_WEBHOOK_TIMEOUT: z.coerce.number().positive().max(60).default(10).meta({
    description: 'Seconds an outgoing webhook has for its whole answer (10)',
  }),
  BELLHOP_WEBHOOK_RETRY: seconds('1,5,30,120,240').meta({
    description:
      'Seconds to wait before each new attempt at a webhook that is unreachable or too slow (1,5,30,120,240)',
  }),
  BELLHOP_MAX_UPLOAD_MIB: z.coerce.number().int().min(1).max(2048).default(100).meta({
    description: 'Largest file that may be uploaded, in MiB; kept in the database (100)',
  }),
  BELLHOP_UPLOAD_QUOTA_MIB: z.coerce.number().int().min(0).optional().meta({
    description: 'How much one organization may upload in all, in MiB; without it any amount',
  }),
  BELLHOP_RATE_LIMIT_USER: rules('200/60,2000/3600').meta({
    description: 'Calls of one user, as count/seconds (200/60,2000/3600)',
  }),
  BELLHOP_RATE_LIMIT_IP: rules('100/60').meta({
    description: 'Calls without a login from one address (100/60)',
  }),
  BELLHOP_RATE_LIMIT_LOGIN: rules('5/1800').meta({
    description: 'Failed logins of one name (5/1800)',
  }),
  BELLHOP_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .meta({ description: 'How much to log: trace to error, or silent (info)' }),
});

const described = Environment.transform((env) => ({
  secret: env.BELLHOP_SECRET,
  externalUrl: env.BELLHOP_EXTERNAL_URL.replace(/\/$/, ''),
  host: env.BELLHOP_HOST,
  port: env.BELLHOP_PORT,
  behindProxy: env.BELLHOP_BEHIND_PROXY,
  bouncer:
    env.BELLHOP_BOUNCER_URL && env.BELLHOP_BOUNCER_ORG_ID && env.BELLHOP_BOUNCER_ORG_KEY
      ? {
          url: env.BELLHOP_BOUNCER_URL,
          orgId: env.BELLHOP_BOUNCER_ORG_ID,
          orgKey: env.BELLHOP_BOUNCER_ORG_KEY,
        }
      : undefined,
  ...(env.BELLHOP_ADMIN_EMAIL ? { adminEmail: env.BELLHOP_ADMIN_EMAIL } : {}),
  webhookAllow: env.BELLHOP_WEBHOOK_ALLOW,
  webhookTimeoutMs: env.BELLHOP_WEBHOOK_TIMEOUT * 1000,
  webhookRetrySeconds: env.BELLHOP_WEBHOOK_RETRY,
  maxUploadMib: env.BELLHOP_MAX_UPLOAD_MIB,
  uploadQuotaMib: env.BELLHOP_UPLOAD_QUOTA_MIB,
  rateLimits: {
    user: env.BELLHOP_RATE_LIMIT_USER,
    ip: env.BELLHOP_RATE_LIMIT_IP,
    login: env.BELLHOP_RATE_LIMIT_LOGIN,
  },
  logLevel: env.BELLHOP_LOG_LEVEL,
}));

/** The server's configuration, checked. */
export type Config = z.output<typeof described>;

/** Reads the environment; throws one Error that names every variable that is missing or wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = described.safeParse(environment);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is not usable:\n${lines.join('\n')}`);
}

/** Name and meaning of every variable, its default in brackets, for --help. */
export const variables = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  description: schema.meta()?.description ?? '',
  required: !schema.safeParse(undefined).success,
}));
