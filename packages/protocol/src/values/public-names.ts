import { z } from 'zod';

/** What public servers of this protocol call values of the specification, by field. */
export const publicNames = {
  reaction_type: { svc_extra_emoji: 'zulip_extra_emoji' },
  emojiset: { vendor_a: 'google', vendor_b: 'twitter', 'vendor_a-blob': 'google-blob' },
} as const;

/**
 * A choice of values of the specification that also reads their public names. Parameters come with either,
 * and so do answers: bots run on public servers too.
 */
export function eitherName<const Name extends string, const Public extends string>(
  names: readonly Name[],
  byName: Readonly<Partial<Record<Name, Public>>>,
) {
  const entries = Object.entries(byName) as [Name, Public][];
  const meant = new Map<string, string>(entries.map(([name, shown]) => [shown, name]));
  return z
    .enum([...names, ...entries.map(([, shown]) => shown)])
    .transform((name) => meant.get(name) ?? name)
    .pipe(z.enum(names) as z.ZodType<Name, string>);
}
