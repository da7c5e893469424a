import { Comparison, inOrder } from '../records/comparison.tsx';
import { type PushRow, summaryOf } from './push-rows.ts';
import { plaintextOf } from './push-trace.tsx';

const parts = {
  ['Plaintext']: plaintextOf,
  ['Server trace']: ({ trace }: PushRow) => (trace ? JSON.stringify(trace) : ''),
};
const timeOf = ({ at }: PushRow) => at;
const nameOf = (row: PushRow) => <span class="clip muted">{summaryOf(row)}</span>;

/** The differences between two pushes: what the phone decrypted, and the traces at the server. */
export const ComparePushes = ({ rows }: { readonly rows: readonly PushRow[] }) => (
  <Comparison rows={inOrder(rows, timeOf)} {...{ timeOf, nameOf, parts }} />
);
