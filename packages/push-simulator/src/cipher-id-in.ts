import { cipherId } from '@bellhop/push-crypto/cipher-id';

/** The `cipher_id` of the `encrypted_data` in the text of an app's data; null without one. */
export function cipherIdIn(text: string | undefined): string | null {
  try {
    const { encrypted_data } = JSON.parse(text ?? '') as { encrypted_data?: unknown };
    return typeof encrypted_data === 'string' ? cipherId(encrypted_data) : null;
  } catch {
    return null;
  }
}
