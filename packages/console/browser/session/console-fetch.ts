import { ACCOUNT_HEADER, CONSOLE_HEADER } from '@bellhop/protocol';

import { sessionKey } from './session-key.ts';

/**
 * Calls this server with the session's key, as one of its accounts. The cookie goes along by itself.
 */
export const consoleFetch =
  (account?: number): typeof fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers);
    // A browser names itself.
    headers.delete('user-agent');
    headers.set(CONSOLE_HEADER, sessionKey() ?? 'none');
    if (account !== undefined) headers.set(ACCOUNT_HEADER, String(account));
    return fetch(input, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
  };
