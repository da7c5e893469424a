import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Opens a private key in PEM form. Throws an error whose message names the fault, without the text. */
export function openPrivateKey(text: string): KeyObject {
  if (!text.includes('-----BEGIN')) throw new Error('is not the text of a private key in PEM form');
  if (text.includes('ENCRYPTED')) throw new Error('is a private key with a passphrase');
  try {
    return createPrivateKey(text);
  } catch {
    throw new Error('is a damaged private key: are its line breaks still there?');
  }
}
