import { PushDeviceEvent } from '@bellhop/protocol';
import type { z } from 'zod';

export type RefusalCode = Extract<
  z.output<typeof PushDeviceEvent>,
  { status: 'failed' }
>['error_code'];

/** The bouncer refused the phone's registration. */
export class RegistrationRefused extends Error {
  readonly code: RefusalCode;
  /** What the server says is wrong; undefined for a server that says only the code. */
  readonly detail: string | undefined;

  constructor(code: RefusalCode, detail?: string) {
    const why = detail === undefined ? code : `${code}, ${detail}`;
    super(`The push service refused the registration: ${why}`);
    this.name = 'RegistrationRefused';
    this.code = code;
    this.detail = detail;
  }
}
