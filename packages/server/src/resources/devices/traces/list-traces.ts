import type { Handlers } from '../../../engine/resource.ts';
import { traceOf } from './present-trace.ts';
import { ofUser } from './trace-rows.ts';

/** A page of the traces of the caller's own pushes. */
export const listTraces: Handlers<'devices'>['traces'] = async ({ db, user, params }) => {
  const { limit } = params;
  const rows = await ofUser(db, user, { ...params, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    traces: page.map(traceOf),
    next_cursor: rows.length > limit ? (page.at(-1)?.trace_id ?? null) : null,
  };
};
