import type { Logger } from 'pino';

import type { BouncerConfig } from '../config/bouncer-config.ts';

/** Warns if every chat server may register, or if a server needs an invitation to register. */
export function warnOfRegistration(
  { servers, token }: BouncerConfig['registration'],
  log: Pick<Logger, 'info' | 'warn'>,
): void {
  if (servers === 'any')
    log.warn(
      'BELLHOP_BOUNCER_SERVERS is any: everybody who reaches this address can register and send with your credentials',
    );
  else if (servers.length === 0 && token === undefined)
    log.info(
      'new chat servers need an invitation ("bellhop bouncer servers invite"), BELLHOP_BOUNCER_SERVERS or BELLHOP_BOUNCER_REGISTRATION_TOKEN',
    );
}
