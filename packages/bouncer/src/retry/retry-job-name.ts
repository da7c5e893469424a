import { TokenKind } from '@bellhop/protocol/bouncer';

/** The job that sends a queued notification to a provider. */
export const retryJobName = (kind: TokenKind): string => `bouncer.push_${kind}`;

/** The jobs of all providers. */
export const retryJobNames: readonly string[] = TokenKind.options.map(retryJobName);
