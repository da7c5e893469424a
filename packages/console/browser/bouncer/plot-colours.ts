/** The colours of outcomes and providers: of those that are in one plot each has another. */
const known: Readonly<Record<string, string>> = {
  accepted: '--ok',
  queued: '--muted',
  given_up: '--warn',
  dead: '--bad',
  refused: '--number',
  configuration: '--text',
  quarantined: '--info',
  fcm: '--ok',
  apns: '--info',
  webpush: '--number',
};
const all = ['--ok', '--info', '--bad', '--number', '--warn', '--text', '--muted', '--wait'];

/** The token of the colour of each series, by its label. No two are the same while there are colours. */
export function plotColours(labels: readonly string[]): readonly string[] {
  const free = new Set(all);
  for (const label of labels) free.delete(known[label] ?? '');
  return labels.map((label) => {
    const colour = known[label] ?? [...free][0] ?? '--text';
    free.delete(colour);
    return colour;
  });
}
