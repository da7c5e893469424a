import { expect, test } from 'vitest';

import { ignoredVariables, serverVariables } from './sandbox-variables.ts';

test('the sandbox names the set variables of servers and bouncers that it does not use', () => {
  const env = {
    BELLHOP_PORT: '4600',
    BELLHOP_LOG_LEVEL: 'info',
    BELLHOP_PUBLIC_CLIENTS: 'okhttp',
    BELLHOP_PUBLIC_FEATURE_LEVEL: '460',
    BELLHOP_HOST: '',
    BELLHOP_RATE_LIMIT_USER: '9/9',
    BELLHOP_BOUNCER_KEYS_FILE: 'keys',
    BELLHOP_API_KEY: 'of another command',
    PATH: '/bin',
  };
  expect(ignoredVariables(env)).toEqual(['BELLHOP_RATE_LIMIT_USER', 'BELLHOP_BOUNCER_KEYS_FILE']);
  expect(serverVariables(env)).toEqual({
    BELLHOP_PUBLIC_CLIENTS: 'okhttp',
    BELLHOP_PUBLIC_FEATURE_LEVEL: '460',
  });
});
