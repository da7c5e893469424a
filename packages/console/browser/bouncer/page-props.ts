import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { OperatorClient } from './operator-client.ts';

/** The properties of every page of the operator. */
export interface PageProps {
  readonly client: OperatorClient;
  /** Whether the providers are simulated here. */
  readonly isSandbox: boolean;
  /** The content of the inspector beside the page. */
  readonly inspector: Signal<ComponentChildren>;
}
