import { ApiError } from '@bellhop/protocol';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { refusedParts } from './refused-parts.ts';

/** A field of a form that the server refused, and why. */
export interface RefusedField {
  readonly name: string;
  readonly problem: string;
}

/** The parameter that an error is about; undefined if it is about the whole. */
export function refusedField(error: unknown): RefusedField | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const parts = refusedParts(error);
  if (error.code === 'INVITATION_FAILED' && parts.length > 0)
    return { name: 'invitee_emails', problem: parts.join('\n') };
  const { var_name: name } = error.data;
  if (typeof name !== 'string') return undefined;
  const problem = error.message.startsWith(`${name}: `)
    ? error.message.slice(name.length + 2)
    : error.message;
  return { name, problem };
}

/** The refused field of the form around. */
export const Refused = createContext<RefusedField | undefined>(undefined);

/** Why the server refused the field with this name, if it did. */
export function useProblem(name: string | undefined): string | undefined {
  const refused = useContext(Refused);
  return name !== undefined && refused?.name === name ? refused.problem : undefined;
}
