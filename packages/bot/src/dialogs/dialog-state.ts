import type { JsonValue } from '../stores/store.ts';

/** What is kept of a dialog between messages. */
export interface DialogState {
  readonly v: 1;
  readonly dialog: string;
  /** The step that was asked; null when all were answered and `done` runs. */
  readonly step: string | null;
  /** The texts of the answers, by step. */
  readonly answers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
  /** The message that brought it here: when it is delivered again, it is no further answer. */
  readonly by?: string;
}

/** Reads what a store gave; undefined for what no version of this code has written. */
export function readDialogState(stored: JsonValue): DialogState | undefined {
  if (!isRecord(stored)) return undefined;
  const { v, dialog, step, answers, expires_at, by } = stored;
  if (v !== 1 || typeof dialog !== 'string' || typeof expires_at !== 'number') return undefined;
  if ((step !== null && typeof step !== 'string') || !isRecord(answers)) return undefined;
  const texts = Object.entries(answers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const state = { v, dialog, step, answers: Object.fromEntries(texts), expires_at } as const;
  return typeof by === 'string' ? { ...state, by } : state;
}

const isRecord = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
