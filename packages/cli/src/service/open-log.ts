import { UserError } from '@bellhop/bot-cli/command-line';
import { type DestinationStream, levels, type Logger, pino } from 'pino';

/** Opens a JSON log that redacts secrets. Throws a UserError for an unknown level. */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const known = [...Object.keys(levels.values), 'silent'];
  if (!known.includes(level))
    throw new UserError(`BELLHOP_LOG_LEVEL is "${level}": use one of ${known.join(', ')}.`);
  const redact = ['*.token', '*.password', '*.api_key'];
  return destination ? pino({ level, redact }, destination) : pino({ level, redact });
}
