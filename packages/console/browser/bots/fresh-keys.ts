import { signal } from '@preact/signals';

/** Keys that the server has just made, and that the page shows once. */
export interface FreshKeys {
  readonly bot_id: number;
  /** Whether the bot is new: its token comes with its event. */
  readonly isNew?: boolean;
  readonly api_key?: string;
  readonly token?: string;
}

/** The keys that the page shows once, until they are dismissed or the page is left. */
export const freshKeys = signal<FreshKeys | undefined>(undefined);
