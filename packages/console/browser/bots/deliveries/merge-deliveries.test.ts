import { DeliveryId } from '@bellhop/protocol';
import type { BotDelivery } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { mergePages, withChanges } from './merge-deliveries.ts';

const idOf = (number: number) =>
  DeliveryId.parse(`019ab000-0000-7000-8000-${String(number).padStart(12, '0')}`);
const delivery = (number: number, verdict = '') =>
  ({ id: idOf(number), verdict }) as unknown as BotDelivery;
const numbers = (all: readonly BotDelivery[]) => all.map(({ id }) => Number(id.slice(-12)));

test('mergePages makes one page without a gap of the pages of several bots', () => {
  const busy = { deliveries: [9, 8, 7].map((one) => delivery(one)), next_cursor: idOf(7) };
  const quiet = { deliveries: [10, 3].map((one) => delivery(one)), next_cursor: null };
  const merged = mergePages([busy, quiet]);
  expect(numbers(merged.deliveries)).toEqual([10, 9, 8, 7]);
  expect(merged.next_cursor).toBe(idOf(7));
  const rest = { deliveries: [delivery(6)], next_cursor: null };
  const left = { deliveries: [delivery(3)], next_cursor: null };
  expect(numbers(mergePages([rest, left]).deliveries)).toEqual([6, 3]);
  expect(mergePages([]).next_cursor).toBeNull();
});

test('withChanges inserts a delivery in order, replaces it and removes it', () => {
  const all = [9, 7, 5].map((one) => delivery(one));
  const changed = withChanges(
    all,
    new Map([
      [idOf(8), delivery(8)],
      [idOf(1), delivery(1)],
      [idOf(7), delivery(7, 'replied')],
      [idOf(5), undefined],
      [idOf(4), undefined],
    ]),
  );
  expect(numbers(changed)).toEqual([9, 8, 7, 1]);
  expect(changed[2]?.verdict).toBe('replied');
  expect(numbers(all)).toEqual([9, 7, 5]);
});
