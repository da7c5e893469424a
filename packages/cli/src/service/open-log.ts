import { type DestinationStream, levels, type Logger, pino } from 'pino';

import { Complaint } from '../command-line/command.ts';

/** A JSON log without secrets. Throws a Complaint if there is no such level. */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const known = [...Object.keys(levels.values), 'silent'];
  if (!known.includes(level))
    throw new Complaint(`BELLHOP_LOG_LEVEL is "${level}": use one of ${known.join(', ')}.`);
  const redact = ['*.token', '*.password', '*.api_key'];
  return destination ? pino({ level, redact }, destination) : pino({ level, redact });
}
