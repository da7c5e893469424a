import { argument } from '../../command-line/flags.ts';
import { parseDeviceId } from '../parse-device-id.ts';

/** The device that a command is about. */
export const deviceArgument = argument('device', 'ID of the device at the bouncer', parseDeviceId);
