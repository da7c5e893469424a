import { ApiError, type Narrow, type NarrowTerm } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import { isSpectator } from '../../../../engine/spectator.ts';
import type { VisibleChannel } from '../../../channels/readable-channels.ts';
import { badNarrow } from './bad-narrow.ts';
import { channelNamed, inChannel, inChannels, inTopic } from './channel-terms.ts';
import { compileHas, compileIn, compileIs } from './is-in-has-terms.ts';
import {
  canonical,
  type CompiledTerm,
  idIn,
  type NarrowContext,
  textOrIdOf,
} from './narrow-term.ts';
import { directIncluding, directWith, groupIncluding, sentBy } from './person-terms.ts';
import { resolveWith } from './resolve-with.ts';
import { requireShortSearch, type Search, searchFor } from './search-term.ts';

/** A narrow as SQL over `m` (message) and `um` (the user's flags). */
export interface CompiledNarrow {
  /** The conditions without the search. */
  readonly conditions: readonly RawBuilder<unknown>[];
  /** Whether the narrow also matches readable messages that the user never received. */
  readonly history: boolean;
  /** Whether a term is about flags, which only received messages have. */
  readonly personal: boolean;
  /** The messages of the user among which all matching ones are. */
  readonly flagged: CompiledTerm['flagged'];
  /** Whether the narrow is limited to one channel whose whole history the user may read. */
  readonly in_open_channel: boolean;
  /** Whether the narrow is limited to one channel or one direct conversation. */
  readonly in_conversation: boolean;
  /** Whether the narrow is limited to the messages of one person, and not by flags. */
  readonly by_sender: boolean;
  readonly search: Search | undefined;
}

/** All conditions of a narrow. */
export const conditionsOf = ({
  conditions,
  search,
}: CompiledNarrow): readonly RawBuilder<unknown>[] =>
  search ? [...conditions, search.condition] : conditions;

/** The same narrow with its search from the index of words, for a statement that finds messages by it. */
export const searchedFromIndex = async (narrow: CompiledNarrow): Promise<CompiledNarrow> => ({
  ...narrow,
  search: narrow.search?.among(await narrow.search.matches()),
});

/** Compiles a narrow for a user. Throws BAD_NARROW with the reason in `desc`. */
export async function compileNarrow(
  context: NarrowContext,
  narrow: Narrow,
): Promise<CompiledNarrow> {
  const asked = narrow.map(canonical);
  if (isSpectator(context.user)) requireForSpectators(asked);
  const terms = await resolveWith(context, asked);
  const channels = await namedChannels(context, terms);
  const channelTerm = terms.find(({ operator, negated }) => operator === 'channel' && !negated);
  const channel = channelTerm && channels.get(channelTerm);
  requireShortSearch(terms);
  const searches = terms.filter(({ operator, negated }) => operator === 'search' && !negated);
  const search = searches.length > 0 ? await searchFor(context, searches) : undefined;
  // `near` is for the scroll position of clients; every message matches it.
  const others = terms.filter((term) => !searches.includes(term) && term.operator !== 'near');
  const compiled = await Promise.all(
    others.map(async (term) => ({
      term,
      ...(await compile(context, term, { channels, channel })),
    })),
  );
  const kinds = new Set(compiled.map(({ term, only }) => (term.negated ? undefined : only)));
  if (kinds.has('channel') && kinds.has('direct'))
    throw badNarrow('No message can be both a channel message and direct message');
  const personal = compiled.some((term) => term.personal);
  const flagged = compiled.find(({ term, flagged: kind }) => kind && !term.negated)?.flagged;
  const in_open_channel = channel?.shows_history === true;
  const in_public_channels = terms.some(
    ({ operator, negated }) => operator === 'channels' && !negated,
  );
  return {
    conditions: compiled.map(({ term, condition }) =>
      term.negated ? sql`(${condition}) is not true` : condition,
    ),
    history: !personal && (in_open_channel || in_public_channels || isSpectator(context.user)),
    personal,
    flagged,
    in_open_channel,
    in_conversation: terms.some(
      ({ operator, negated }) => (operator === 'channel' || operator === 'dm') && !negated,
    ),
    by_sender:
      flagged === undefined &&
      terms.some(({ operator, negated }) => operator === 'sender' && !negated),
    search,
  };
}

const spectatorOperators = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
]);

/** Throws UNAUTHORIZED for a term about received messages or direct conversations. */
function requireForSpectators(terms: readonly NarrowTerm[]): void {
  if (!terms.every(({ operator }) => spectatorOperators.has(operator)))
    throw new ApiError('UNAUTHORIZED');
}

type NamedChannels = ReadonlyMap<NarrowTerm, VisibleChannel>;

const namedChannels = async (
  context: NarrowContext,
  terms: readonly NarrowTerm[],
): Promise<NamedChannels> =>
  new Map(
    await Promise.all(
      terms
        .filter(({ operator }) => operator === 'channel')
        .map(async (term) => [term, await channelNamed(context, term)] as const),
    ),
  );

async function compile(
  context: NarrowContext,
  term: NarrowTerm,
  { channels, channel }: { channels: NamedChannels; channel: VisibleChannel | undefined },
): Promise<CompiledTerm> {
  switch (term.operator) {
    case 'channel':
      return inChannel(channels.get(term) ?? (await channelNamed(context, term)));
    case 'channels':
      return inChannels(context, term);
    case 'topic':
      return inTopic(term, term.negated ? undefined : channel);
    case 'dm':
      return directWith(context, term);
    case 'dm-including':
      return directIncluding(context, term);
    case 'group-pm-with':
      return groupIncluding(context, term);
    case 'sender':
      return sentBy(context, term);
    case 'is':
      return compileIs(context, term);
    case 'has':
      return compileHas(term);
    case 'in':
      return compileIn(context, term);
    case 'search':
      return searchFor(context, [term]);
    case 'id':
      return withId(term);
    default:
      throw badNarrow(`unknown operator ${term.operator}`);
  }
}

function withId(term: NarrowTerm): CompiledTerm {
  const operand = textOrIdOf(term);
  const id = idIn(operand);
  if (id === undefined) throw badNarrow(`invalid message ID '${operand}'`);
  return { condition: sql`m.id = ${id}` };
}
