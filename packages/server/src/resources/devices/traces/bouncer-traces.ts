import type { Handlers } from '../../../engine/resource.ts';
import { errorCodes, failureOf, logFailure } from '../../../model/devices/bouncer-failure.ts';
import { ciphersOf } from '../../../model/devices/traces/trace-rows.ts';

/**
 * Asks the bouncer, which answers about all pushes of this server, and returns the caller's own
 * pushes.
 */
export const bouncerTraces: Handlers<'devices'>['bouncerTraces'] = async ({
  app,
  user,
  params: { cipher_ids },
  db,
  fail,
}) => {
  if (!app.bouncerV1) return fail('PUSH_SERVICE_NOT_CONFIGURED');
  const own = await ciphersOf(db, user, cipher_ids);
  try {
    const { traces } = await app.bouncerV1.traces.list({ cipher_ids });
    return { traces: traces.filter(({ cipher_id }) => own.has(cipher_id)) };
  } catch (error) {
    const failure = failureOf(error);
    logFailure(app, failure, 'traces could not be read');
    return fail(errorCodes[failure.kind]);
  }
};
