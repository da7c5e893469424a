import type { Narrow, NarrowTerm } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { ReadableChannel } from '../../../channels/readable-channels.ts';
import { badNarrow } from './bad-narrow.ts';
import { channelNamed, inChannel, inChannels, inTopic } from './channel-terms.ts';
import {
  canonical,
  type Compiled,
  type Condition,
  idIn,
  type Seeker,
  textOrIdOf,
} from './narrow-term.ts';
import { directIncluding, directWith, groupIncluding, sentBy } from './person-terms.ts';
import { has, is, within } from './quality-terms.ts';
import { type Search, searchFor } from './search-term.ts';
import { followWith } from './with-term.ts';

/** A narrow as SQL, over `m` (message) and `um` (the seeker's user_message). */
export interface CompiledNarrow {
  readonly conditions: readonly Condition[];
  /** Messages that the seeker never received but may read belong to the answer. */
  readonly history: boolean;
  /** Flags are asked for, which only received messages have. */
  readonly personal: boolean;
  /** All is in one channel, whose whole history the seeker may read. */
  readonly in_open_channel: boolean;
  readonly search: Search | undefined;
}

/** Understands a narrow for somebody. Throws BAD_NARROW with the reason in `desc`. */
export async function compileNarrow(seeker: Seeker, narrow: Narrow): Promise<CompiledNarrow> {
  const terms = await followWith(seeker, narrow.map(canonical));
  const channels = await namedChannels(seeker, terms);
  const place = terms.find(({ operator, negated }) => operator === 'channel' && !negated);
  const channel = place && channels.get(place);
  const searches = terms.filter(({ operator, negated }) => operator === 'search' && !negated);
  const search = searches.length > 0 ? await searchFor(seeker, searches) : undefined;
  // `near` is for clients that scroll; it says nothing about which messages match.
  const others = terms.filter((term) => !searches.includes(term) && term.operator !== 'near');
  const compiled = await Promise.all(
    others.map(async (term) => ({ term, ...(await compile(seeker, term, { channels, channel })) })),
  );
  const kinds = new Set(compiled.map(({ term, only }) => (term.negated ? undefined : only)));
  if (kinds.has('channel') && kinds.has('direct'))
    throw badNarrow('No message can be both a channel message and direct message');
  const personal = compiled.some((term) => term.personal);
  const in_open_channel = channel?.is_open === true;
  const in_public_channels = terms.some(
    ({ operator, operand, negated }) => operator === 'channels' && operand === 'public' && !negated,
  );
  return {
    conditions: [
      ...compiled.map(({ term, condition }) =>
        term.negated ? sql`(${condition}) is not true` : condition,
      ),
      ...(search ? [search.condition] : []),
    ],
    history: !personal && (in_open_channel || in_public_channels),
    personal,
    in_open_channel,
    search,
  };
}

type Named = ReadonlyMap<NarrowTerm, ReadableChannel>;

const namedChannels = async (seeker: Seeker, terms: readonly NarrowTerm[]): Promise<Named> =>
  new Map(
    await Promise.all(
      terms
        .filter(({ operator }) => operator === 'channel')
        .map(async (term) => [term, await channelNamed(seeker, term)] as const),
    ),
  );

async function compile(
  seeker: Seeker,
  term: NarrowTerm,
  { channels, channel }: { channels: Named; channel: ReadableChannel | undefined },
): Promise<Compiled> {
  switch (term.operator) {
    case 'channel':
      return inChannel(channels.get(term) ?? (await channelNamed(seeker, term)));
    case 'channels':
      return inChannels(seeker, term);
    case 'topic':
      return inTopic(term, term.negated ? undefined : channel);
    case 'dm':
      return directWith(seeker, term);
    case 'dm-including':
      return directIncluding(seeker, term);
    case 'group-pm-with':
      return groupIncluding(seeker, term);
    case 'sender':
      return sentBy(seeker, term);
    case 'is':
      return is(seeker, term);
    case 'has':
      return has(term);
    case 'in':
      return within(seeker, term);
    case 'search':
      return searchFor(seeker, [term]);
    case 'id':
      return withId(term);
    default:
      throw badNarrow(`unknown operator ${term.operator}`);
  }
}

function withId(term: NarrowTerm): Compiled {
  const operand = textOrIdOf(term);
  const id = idIn(operand);
  if (id === undefined) throw badNarrow(`invalid message ID '${operand}'`);
  return { condition: sql`m.id = ${id}` };
}
