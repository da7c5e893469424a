import type { Logger } from 'pino';

/** The chat servers that may register: those of a list, and those that send the token. */
export interface Registration {
  /** Lower-case UUIDs. */
  readonly servers: 'any' | readonly string[];
  readonly token: string | undefined;
}

/** Warns if every chat server may register, or if a server needs an invitation to register. */
export function warnOfRegistration(
  { servers, token }: Registration,
  log: Pick<Logger, 'info' | 'warn'>,
): void {
  if (servers === 'any')
    log.warn(
      'BELLHOP_BOUNCER_SERVERS is any: everybody who reaches this address can register and send with your credentials',
    );
  else if (servers.length === 0 && token === undefined)
    log.info(
      'new chat servers need an invitation ("bellhop bouncer access invite"), BELLHOP_BOUNCER_SERVERS or BELLHOP_BOUNCER_REGISTRATION_TOKEN',
    );
}
