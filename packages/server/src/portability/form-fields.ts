import { characterCount, cutText } from '@bellhop/protocol';

import { type FormRecord, PortabilityError } from './form.ts';

/** A fault of a record, which is named so that its owner can mend or remove it. */
export const faulty = (table: string, record: FormRecord, fault: string): PortabilityError =>
  new PortabilityError(`${table} ${idOf(record, 'id') ?? ''} of the export: ${fault}.`);

/** A text of limited length, in characters. A missing one is empty. Throws for a longer one. */
export function textOf(table: string, record: FormRecord, name: string, most: number): string {
  const value = record[name] ?? '';
  if (typeof value !== 'string') throw faulty(table, record, `${name} is no text`);
  if (value.includes('\0')) throw faulty(table, record, `${name} has a null byte`);
  const text = value.toWellFormed();
  if (characterCount(text) > most)
    throw faulty(table, record, `${name} has more than ${most} characters`);
  return text;
}

/** The same, cut to its limit. */
export const cutOf = (record: FormRecord, name: string, most: number): string => {
  const value = record[name];
  return typeof value === 'string' ? cutText(value.replaceAll('\0', '').toWellFormed(), most) : '';
};

/** An ID; undefined if there is none. */
export const idOf = (record: FormRecord, name: string): number | undefined => {
  const value = record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** An ID that a record must have. */
export function requiredId(table: string, record: FormRecord, name: string): number {
  const id = idOf(record, name);
  if (id === undefined) throw faulty(table, record, `${name} is no ID`);
  return id;
}

export const flagOf = (record: FormRecord, name: string, absent: boolean): boolean => {
  const value = record[name];
  return typeof value === 'boolean' ? value : absent;
};

export const flagOrNull = (record: FormRecord, name: string): boolean | null => {
  const value = record[name];
  return typeof value === 'boolean' ? value : null;
};

export const numberOf = (record: FormRecord, name: string): number | undefined => {
  const value = record[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** The latest time of the form that is read: the end of the year 9999, in seconds. */
const LATEST = 253_402_300_799;

/** A time in whole seconds. */
export const secondsOf = (record: FormRecord, name: string): number | undefined => {
  const value = numberOf(record, name);
  return value !== undefined && value >= 0 && value <= LATEST ? Math.floor(value) : undefined;
};

/** A time for a column with time zone. */
export const timeOf = (record: FormRecord, name: string): string | null => {
  const value = numberOf(record, name);
  return value !== undefined && value >= 0 && value <= LATEST
    ? new Date(value * 1000).toISOString()
    : null;
};
