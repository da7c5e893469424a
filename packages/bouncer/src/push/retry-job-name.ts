import type { TokenKind } from '@bellhop/protocol';

/** The job that sends a queued notification to a provider. */
export const retryJobName = (kind: TokenKind): string => `bouncer.push_${kind}`;
