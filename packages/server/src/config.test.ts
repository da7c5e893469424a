import { FEATURE_LEVEL, PUBLIC_FEATURE_LEVEL } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { readConfig, variables } from './config.ts';

test('readConfig has one plain line for each fault, with the name of the variable', () => {
  const env = {
    BELLHOP_SECRET: 's'.repeat(32),
    BELLHOP_EXTERNAL_URL: 'chat.example.com',
    BELLHOP_PORT: 'http',
    BELLHOP_BEHIND_PROXY: 'perhaps',
    BELLHOP_MAX_UPLOAD_MIB: '0',
    BELLHOP_BOUNCER_ORG_KEY: 'short',
    https_proxy: 'socks5://ada:hush@127.0.0.1',
  };
  expect(() => readConfig(env)).toThrow(
    [
      'Invalid configuration:',
      '  BELLHOP_EXTERNAL_URL: must be a URL such as https://chat.example.com',
      '  BELLHOP_PORT: must be a whole number from 0 to 65535',
      '  BELLHOP_BEHIND_PROXY: must be true or false',
      '  BELLHOP_BOUNCER_ORG_KEY: must be 64 letters and digits',
      '  HTTPS_PROXY: must be the address of an HTTP proxy such as http://proxy.example.com:3128',
      '  BELLHOP_MAX_UPLOAD_MIB: must be a whole number from 1 to 2048',
    ].join('\n'),
  );
});

test.each([
  ['BELLHOP_SECRET', 'short', 'must be 32 characters or more'],
  [
    'BELLHOP_PUBLIC_CLIENTS',
    'MyClient,Java-http-client/21',
    'write the first words of User-Agents, without versions: Java-http-client,MyClient',
  ],
  ...['BELLHOP_EXTERNAL_URL', 'BELLHOP_BOUNCER_URL'].map((name) => [
    name,
    'https://ada:hush@example.com/',
    'must have no user and no password',
  ]),
  ['BELLHOP_BOUNCER_ORG_ID', '12', 'must be a UUID'],
  ['BELLHOP_BOUNCER_REGISTRATION_TOKEN', 't'.repeat(201), 'must be at most 200 characters'],
  ['BELLHOP_ADMIN_EMAIL', 'ada', 'must be an e-mail address'],
  ['BELLHOP_WEBHOOK_TIMEOUT', 'soon', 'must be a number of seconds above 0, up to 60'],
  ['BELLHOP_WEBHOOK_TIMEOUT', '0', 'must be a number of seconds above 0, up to 60'],
  ['BELLHOP_SMTP_HOST', 'h'.repeat(254), 'must be at most 253 characters'],
  ['BELLHOP_SMTP_SECURITY', 'ssl', 'must be starttls, tls or none'],
  ['BELLHOP_MAIL_FROM', 'ada', 'must be an e-mail address'],
  ...['7.5', String(FEATURE_LEVEL - 1), String(PUBLIC_FEATURE_LEVEL + 1)].map((level) => [
    'BELLHOP_PUBLIC_FEATURE_LEVEL',
    level,
    `must be a whole number from 420 to ${PUBLIC_FEATURE_LEVEL}`,
  ]),
  ['BELLHOP_FILES', 's4', 'must be database or s3'],
  [
    'BELLHOP_S3_BUCKET',
    's3://files',
    'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
  ],
  ['BELLHOP_S3_REGION', 'eu central', 'must be the name of a region such as eu-central-1'],
  ['BELLHOP_S3_PATH_STYLE', 'perhaps', 'must be true or false'],
  ['BELLHOP_LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error or silent'],
])('%s=%s is refused with what it must be', (name, value, reason) => {
  const env = { BELLHOP_SECRET: 's'.repeat(32), BELLHOP_EXTERNAL_URL: 'https://chat.example.com' };
  expect(() => readConfig({ ...env, [name]: value })).toThrow(
    new Error(`Invalid configuration:\n  ${name}: ${reason}`),
  );
});

test.each([
  [{ BELLHOP_FILES: 's3' }, 'BELLHOP_S3_BUCKET: must name the bucket of the S3-compatible store'],
  [
    { BELLHOP_S3_ENDPOINT: 'https://s3.example.com' },
    'BELLHOP_S3_BUCKET: must name the bucket of the S3-compatible store',
  ],
  [
    { BELLHOP_S3_BUCKET: 'files', BELLHOP_S3_ENDPOINT: 's3.example.com' },
    'BELLHOP_S3_ENDPOINT: must be a URL such as https://s3.example.com',
  ],
  [
    { BELLHOP_S3_BUCKET: 'files', BELLHOP_S3_ENDPOINT: 'https://ada:hush@s3.example.com' },
    'BELLHOP_S3_ENDPOINT: must have no user and no password',
  ],
  [
    { BELLHOP_S3_BUCKET: 'files', BELLHOP_S3_ACCESS_KEY_ID: 'AKID' },
    'BELLHOP_S3_SECRET_ACCESS_KEY: must be set with BELLHOP_S3_ACCESS_KEY_ID',
  ],
  [
    { BELLHOP_S3_BUCKET: 'files', BELLHOP_S3_SECRET_ACCESS_KEY: 'hush' },
    'BELLHOP_S3_ACCESS_KEY_ID: must be set with BELLHOP_S3_SECRET_ACCESS_KEY',
  ],
])('the variables of a store of files %o are refused together', (env, reason) => {
  const required = {
    BELLHOP_SECRET: 's'.repeat(32),
    BELLHOP_EXTERNAL_URL: 'https://chat.example.com',
  };
  expect(() => readConfig({ ...required, ...env })).toThrow(
    new Error(`Invalid configuration:\n  ${reason}`),
  );
});

test.each([
  'https://Chat.Example.com/',
  'https://chat.example.com.',
  'https://chat.example.com:443',
])('the external URL %s is read as https://chat.example.com', (url) => {
  const env = { BELLHOP_SECRET: 's'.repeat(32), BELLHOP_EXTERNAL_URL: url };
  expect(readConfig(env).externalUrl).toBe('https://chat.example.com');
});

test('an empty variable counts as missing', () => {
  const env = { BELLHOP_SECRET: 's'.repeat(32), BELLHOP_EXTERNAL_URL: 'https://chat.example.com' };
  const empty = { BELLHOP_BOUNCER_URL: '', BELLHOP_PORT: '', HTTPS_PROXY: '' };
  const config = readConfig({ ...env, ...empty });
  expect(config).toEqual(readConfig(env));
});

test('the feature level of the public API is the newest one unless an operator lowers it', () => {
  const env = { BELLHOP_SECRET: 's'.repeat(32), BELLHOP_EXTERNAL_URL: 'https://chat.example.com' };
  expect(readConfig(env).publicFeatureLevel).toBe(PUBLIC_FEATURE_LEVEL);
  const lowered = { ...env, BELLHOP_PUBLIC_FEATURE_LEVEL: String(FEATURE_LEVEL) };
  expect(readConfig(lowered).publicFeatureLevel).toBe(420);
});

test('--help names the defaults: a variable that is set to its own changes nothing', () => {
  const env = { BELLHOP_SECRET: 's'.repeat(32), BELLHOP_EXTERNAL_URL: 'https://chat.example.com' };
  const defaults = variables.flatMap(({ name, description }) => {
    const value = /\(default (\S+)\)$/.exec(description)?.[1];
    return value === undefined ? [] : [[name, value] as const];
  });
  expect(defaults).toContainEqual(['BELLHOP_PORT', '4600']);
  expect(defaults).toContainEqual(['BELLHOP_BEHIND_PROXY', 'false']);
  expect(defaults).toContainEqual(['BELLHOP_RATE_LIMIT_LOGIN', '5/1800']);
  expect(readConfig({ ...env, ...Object.fromEntries(defaults) })).toEqual(readConfig(env));
});
