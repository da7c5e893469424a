import type { OperatorClient } from './operator-client.ts';

/** What every page of the operator gets. */
export interface PageProps {
  readonly client: OperatorClient;
  /** Whether the providers are simulated here. */
  readonly isSandbox: boolean;
}
