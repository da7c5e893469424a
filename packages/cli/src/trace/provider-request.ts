import type { ProviderRequest } from '@bellhop/protocol';
import { faultKinds, type RequestEntry } from '@bellhop/push-simulator';

/** The largest request that every provider accepts, in bytes. */
const LIMIT = 4096;

/** A request in the log of the simulator, with its size as the provider measures it. */
export function providerRequest(
  entry: Pick<
    RequestEntry,
    'time' | 'cipher_id' | 'status' | 'outcome' | 'provider' | 'body' | 'size'
  >,
): ProviderRequest {
  const { time, cipher_id, status, outcome, provider, body, size } = entry;
  const reason = outcome.replace(/^fault: /, '');
  const kind = faultKinds.find(
    (one) => one.kind === reason && one.providers.includes(provider as never),
  );
  return {
    time,
    cipher_id,
    status,
    outcome,
    ...(kind ? { explanation: kind.explanation } : {}),
    size: provider === 'fcm' ? sizeOfData(body) : size,
    limit: LIMIT,
  };
}

/** Google measures the data of a message. */
function sizeOfData(body: string): number {
  try {
    const { message } = JSON.parse(body) as { message?: { data?: unknown } };
    return Buffer.byteLength(JSON.stringify(message?.data ?? {}));
  } catch {
    return Buffer.byteLength(body);
  }
}
