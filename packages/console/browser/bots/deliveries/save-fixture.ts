import type { BotDeliveryDetails } from '@bellhop/protocol';

/**
 * Saves the payload of a delivery as the file that `bellhop bot receive` reads. The server has masked its
 * token.
 */
export function saveFixture({ id, trigger, payload }: BotDeliveryDetails): void {
  const url = URL.createObjectURL(new Blob([payload ?? ''], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${trigger}-${id}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
