import { describe, expect, test } from 'vitest';

import { sliceAround, shifted } from './window-slice.ts';

const keys = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => String(from + at));
const still = { target: undefined, start: 'top', follow: false, seen: undefined } as const;

describe('the first rows on the page', () => {
  test.each([
    ['top', { from: 0, to: 50 }],
    ['end', { from: 950, to: 1000 }],
  ] as const)('are those at the %s of the list', (start, range) => {
    expect(sliceAround(keys(0, 1000), undefined, { ...still, start })).toEqual(range);
  });

  test.each([
    ['500', { from: 475, to: 525 }],
    ['3', { from: 0, to: 50 }],
    ['999', { from: 950, to: 1000 }],
    ['gone', { from: 0, to: 50 }],
  ])('are around the target %s', (target, range) => {
    expect(sliceAround(keys(0, 1000), undefined, { ...still, target })).toEqual(range);
  });

  test('are all of a short list', () => {
    expect(sliceAround(keys(0, 3), undefined, { ...still, start: 'end' })).toEqual({
      from: 0,
      to: 3,
    });
    expect(sliceAround([], undefined, still)).toEqual({ from: 0, to: 0 });
  });
});

describe('the rows on the page', () => {
  const slice = { firstKey: '100', size: 80 };

  test('stay when others come before and after them', () => {
    expect(sliceAround(keys(50, 400), slice, still)).toEqual({ from: 50, to: 130 });
    expect(sliceAround(keys(100, 900), slice, still)).toEqual({ from: 0, to: 80 });
  });

  test('follow the edge that is in sight', () => {
    const end = { ...still, start: 'end', follow: true } as const;
    expect(sliceAround(keys(0, 181), slice, end)).toEqual({ from: 101, to: 181 });
    expect(sliceAround(keys(0, 180), slice, end)).toEqual({ from: 100, to: 180 });
    const top = { ...still, follow: true };
    expect(sliceAround(keys(98, 400), slice, top)).toEqual({ from: 0, to: 80 });
  });

  test('are around the row that was in sight when the first one is gone', () => {
    const without = keys(0, 1000).filter((key) => key !== '100');
    const range = sliceAround(without, slice, { ...still, seen: '140' });
    expect(range.to - range.from).toBe(80);
    expect(without.slice(range.from, range.to)).toContain('140');
  });
});

describe('a shift', () => {
  test('lets rows in at one end and out at the other', () => {
    const all = keys(0, 1000);
    const range = { from: 100, to: 200 };
    expect(shifted(all, range, { direction: 1, rows: 25, far: 10 })).toEqual({
      firstKey: '110',
      size: 115,
    });
    expect(shifted(all, range, { direction: -1, rows: 25, far: 10 })).toEqual({
      firstKey: '75',
      size: 115,
    });
  });

  test('ends at the ends of the list', () => {
    const all = keys(0, 110);
    expect(shifted(all, { from: 10, to: 100 }, { direction: -1, rows: 25, far: 0 })).toEqual({
      firstKey: '0',
      size: 100,
    });
    expect(shifted(all, { from: 10, to: 100 }, { direction: 1, rows: 25, far: 0 })).toEqual({
      firstKey: '10',
      size: 100,
    });
  });
});
