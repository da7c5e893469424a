import type { z } from 'zod';

import { type Section, stateSchema, type StateSchema } from '../wire/resource.ts';
import { type Resources, resources } from './resources.ts';

type SectionOf<R extends keyof Resources> =
  Resources[R]['state'][keyof Resources[R]['state']] extends infer S extends Section ? S : never;
type InitialStateSchema = StateSchema<{ [R in keyof Resources]: SectionOf<R> }[keyof Resources]>;

/**
 * The state that `POST /register` returns and events keep up to date: the sections of all
 * resources.
 */
export const InitialState = stateSchema(
  Object.values(resources).flatMap(({ state }) => Object.values(state)),
) as unknown as InitialStateSchema;
export type InitialState = z.output<typeof InitialState>;
