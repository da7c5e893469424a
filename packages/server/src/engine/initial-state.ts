import { contracts, type InitialState, type Section } from '@bellhop/protocol';

import type { App, StateRequest } from './app.ts';
import type { ServerResources, UserViewing } from './resource.ts';

interface SectionReader extends Pick<Section, 'access' | 'always'> {
  readonly read: (viewing: UserViewing) => Promise<object | undefined> | object | undefined;
}
/** The parts of the initial state by fetch type. */
export type SectionReaders = ReadonlyMap<string, SectionReader>;

/** Collects from all resources what they contribute to the initial state. */
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

/** The state that was asked for; null asks for everything, unknown fetch types are ignored. */
export async function initialState(
  app: App,
  readers: SectionReaders,
  request: StateRequest,
): Promise<InitialState> {
  const { user, params } = request;
  const asked = params.fetch_event_types ?? params.event_types ?? null;
  const asks = (fetchType: string) => asked === null || asked.includes(fetchType);
  // Sections for users are skipped where there is none.
  const viewing = { app, asks, ...request } as UserViewing;
  const state: InitialState = {};
  for (const [fetchType, { access, always, read }] of readers) {
    const isFor = user ? asks(fetchType) || always : access === 'optional' && asks(fetchType);
    if (isFor) Object.assign(state, await read(viewing));
  }
  return state;
}
