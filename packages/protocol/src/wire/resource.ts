import { z } from 'zod';

import type { Contract } from './endpoint.ts';
import type { EventDefinition } from './event.ts';

/**
 * The readers of a section: users only, or also clients without a login if the realm allows them.
 */
export type SectionAccess = 'user' | 'optional';

/** A section of the initial state: the keys of one fetch type. */
export interface Section<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  A extends SectionAccess = SectionAccess,
> {
  readonly shape: Shape;
  readonly access: A;
  /** Users get it whatever fetch types they request. */
  readonly always: boolean;
}
export type Sections = Readonly<Record<string, Section>>;

/** Declares a section of the initial state. */
export const section = <Shape extends z.ZodRawShape, const A extends SectionAccess = 'user'>(
  shape: Shape,
  options: { readonly access?: A; readonly always?: boolean } = {},
): Section<Shape, A> => ({
  shape,
  access: options.access ?? ('user' as A),
  always: options.always ?? false,
});

/** What all types of a union have together. */
export type IntersectionOf<Union> = (
  Union extends unknown ? (each: Union) => void : never
) extends (all: infer Intersection) => void
  ? Intersection
  : never;
/** The schema of several sections together. Every key is optional: a client may fetch some. */
export type StateSchema<S extends Section> = z.ZodObject<OptionalShape<IntersectionOf<S['shape']>>>;
export type OptionalShape<Shape> = {
  -readonly [Key in keyof Shape]: Shape[Key] extends z.ZodType ? z.ZodOptional<Shape[Key]> : never;
};
export type StateOf<S extends Sections> = z.output<StateSchema<S[keyof S]>>;

/** Returns the schema of several sections together. Throws if two have the same key. */
export function stateSchema(sections: readonly Section[]): z.ZodObject {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const section of sections)
    for (const [key, schema] of Object.entries(section.shape)) {
      if (key in shape) throw new Error(`Two sections of the initial state have the key ${key}`);
      shape[key] = schema;
    }
  return z.object(shape).partial();
}

/** The contract of one resource. */
export interface ResourceContract<
  Endpoints extends Contract[string] = Contract[string],
  Events extends EventDefinition = EventDefinition,
  State extends Sections = Sections,
> {
  readonly endpoints: Endpoints;
  readonly events: readonly Events[];
  /** Sections of the initial state by fetch type. */
  readonly state: State;
}

/** Declares a resource. It must be listed in `resources.ts`. */
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
