import { parseDeviceId } from '../parse-device-id.ts';

/** The device that a command is about. */
export const deviceArgument = {
  kind: 'tuple',
  parameters: [
    { parse: parseDeviceId, brief: 'ID of the device at the bouncer', placeholder: 'device' },
  ],
} as const;
