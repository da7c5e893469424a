import { MASK } from '../bots/webhook-result.ts';

/** A payload with the token in place of its mask, in JSON or in a form. Other masks stay. */
export const withToken = (payload: string, token: string): string =>
  payload
    .replace(new RegExp(`("token"\\s*:\\s*")${escaped(MASK)}(")`), `$1${token}$2`)
    .replace(
      new RegExp(`(^|&)(token=)(?:${escaped(MASK)}|${escaped(encodeURIComponent(MASK))})`),
      `$1$2${token}`,
    );

const escaped = (text: string) => text.replaceAll(/[[\]]/g, String.raw`\$&`);
