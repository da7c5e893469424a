import { z } from 'zod';

import type { Contract } from './endpoint.ts';
import type { EventDefinition } from './event.ts';

/** Who is given a part of the initial state: users, or whoever the realm lets in without a login. */
type SectionAccess = 'user' | 'optional';

/** A part of the initial state: the keys that one fetch type brings. */
export interface Section<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  A extends SectionAccess = SectionAccess,
> {
  readonly shape: Shape;
  readonly access: A;
  /** Users are given it whatever they asked for. */
  readonly always: boolean;
}
export type Sections = Readonly<Record<string, Section>>;

/** Declares a part of the initial state. */
export const section = <Shape extends z.ZodRawShape, const A extends SectionAccess = 'user'>(
  shape: Shape,
  options: { readonly access?: A; readonly always?: boolean } = {},
): Section<Shape, A> => ({
  shape,
  access: options.access ?? ('user' as A),
  always: options.always ?? false,
});

type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer Intersection,
) => void
  ? Intersection
  : never;
/** The schema of the state that sections bring together; a client need not have fetched all. */
export type StateSchema<S extends Section> = z.ZodObject<Optional<All<S['shape']>>>;
type Optional<Shape> = {
  -readonly [Key in keyof Shape]: Shape[Key] extends z.ZodType ? z.ZodOptional<Shape[Key]> : never;
};
export type StateOf<S extends Sections> = z.output<StateSchema<S[keyof S]>>;

/** The schema of what some sections bring, every key optional. Throws if two bring the same key. */
export function stateSchema(sections: readonly Section[]): z.ZodObject {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const section of sections)
    for (const [key, schema] of Object.entries(section.shape)) {
      if (key in shape) throw new Error(`Two sections of the initial state bring ${key}`);
      shape[key] = schema;
    }
  return z.object(shape).partial();
}

/** What a resource adds to the protocol. */
export interface ResourceContract<
  Endpoints extends Contract[string] = Contract[string],
  Events extends EventDefinition = EventDefinition,
  State extends Sections = Sections,
> {
  readonly endpoints: Endpoints;
  readonly events: readonly Events[];
  /** Parts of the initial state, by the fetch type that asks for them. */
  readonly state: State;
}

/** Declares a resource; `resources.ts` lists it. */
export const resource = <
  Endpoints extends Contract[string] = {},
  Events extends EventDefinition = never,
  State extends Sections = {},
>(declared: {
  readonly endpoints?: Endpoints;
  readonly events?: readonly Events[];
  readonly state?: State;
}): ResourceContract<Endpoints, Events, State> => ({
  endpoints: declared.endpoints ?? ({} as Endpoints),
  events: declared.events ?? [],
  state: declared.state ?? ({} as State),
});
