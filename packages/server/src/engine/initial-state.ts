import { contracts, type InitialState, type Section } from '@bellhop/protocol';

import type { App, StateRequest } from './app.ts';
import type { ServerResources, UserStateCall } from './resource.ts';

interface SectionReader extends Pick<Section, 'access' | 'always'> {
  readonly read: (call: UserStateCall) => Promise<object | undefined> | object | undefined;
}
/** The readers of sections by fetch type. */
export type SectionReaders = ReadonlyMap<string, SectionReader>;

/** Collects the sections of all resources. Throws if one has no reader. */
export function sectionReaders(resources: ServerResources): SectionReaders {
  const readers = new Map<string, SectionReader>();
  const all = Object.entries(contracts) as [keyof ServerResources, { state: object }][];
  for (const [name, { state }] of all)
    for (const [fetchType, section] of Object.entries(state) as [string, Section][]) {
      const read = (resources[name] as { state?: Record<string, SectionReader['read']> }).state?.[
        fetchType
      ];
      if (!read) throw new Error(`The resource ${name} does not read ${fetchType}`);
      if (readers.has(fetchType)) throw new Error(`Two resources declare ${fetchType}`);
      readers.set(fetchType, { access: section.access, always: section.always, read });
    }
  return readers;
}

/**
 * Reads the requested sections: all if no types are given. Unknown fetch types are ignored. All sections
 * are read at once, so that their queries share round trips to the database.
 */
export async function initialState(
  app: App,
  readers: SectionReaders,
  request: StateRequest,
): Promise<InitialState> {
  const { user, params } = request;
  const requested = params.fetch_event_types ?? params.event_types ?? null;
  const requests = (fetchType: string) => requested === null || requested.includes(fetchType);
  // Without a user, no section that needs one is read.
  const call = { app, requests, ...request } as UserStateCall;
  const sections = [...readers].filter(([fetchType, { access, always }]) =>
    user ? requests(fetchType) || always : access === 'optional' && requests(fetchType),
  );
  const parts = await Promise.all(sections.map(async ([, { read }]) => read(call)));
  return Object.assign({}, ...parts) as InitialState;
}
