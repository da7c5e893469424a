/** The types of bots, by number. */
export const botTypes = {
  1: 'Generic',
  2: 'Incoming webhook',
  3: 'Outgoing webhook',
  4: 'Embedded',
} as Readonly<Record<number, string>>;
