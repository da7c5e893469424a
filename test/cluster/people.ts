import type { Client } from '@bellhop/client';

export const PASSWORD = 'a long password of the cluster';

export interface Person {
  readonly name: string;
  readonly client: Client;
}
