import { type ClientOf, createClientFor } from '@bellhop/client';
import { sandbox, SANDBOX_PREFIX, type SandboxContract } from '@bellhop/protocol';

import { consoleFetch } from './console-fetch.ts';

export type SandboxClient = ClientOf<SandboxContract>;

/** A client of the operations that only a sandbox has, which acts as an account of the session. */
export const sandboxClient = (user_id?: number): SandboxClient =>
  createClientFor(sandbox, {
    url: location.origin,
    prefix: SANDBOX_PREFIX,
    fetch: consoleFetch(user_id),
  });
