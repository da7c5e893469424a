import type { JsonValue } from '../stores/store.ts';

/** The stored state of a dialog. */
export interface DialogState {
  readonly v: 1;
  readonly dialog: string;
  /** The step that waits for its answer; null if all steps are answered and `done` runs. */
  readonly step: string | null;
  /** The texts of the answers, by step. */
  readonly answers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
  /** The id of the message that led to this state; a repeated delivery of it is not an answer. */
  readonly message_id?: string;
  /** `done` has failed: the person may run it again. */
  readonly failed?: true;
}

/** Reads a stored state; undefined if it is malformed or of another version. */
export function readDialogState(stored: JsonValue): DialogState | undefined {
  if (!isRecord(stored)) return undefined;
  const { v, dialog, step, answers, expires_at, message_id, failed } = stored;
  if (v !== 1 || typeof dialog !== 'string' || typeof expires_at !== 'number') return undefined;
  if ((step !== null && typeof step !== 'string') || !isRecord(answers)) return undefined;
  const texts = Object.entries(answers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const state: DialogState = {
    v,
    dialog,
    step,
    answers: Object.fromEntries(texts),
    expires_at,
    ...(failed === true && { failed }),
  };
  return typeof message_id === 'string' ? { ...state, message_id } : state;
}

const isRecord = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
