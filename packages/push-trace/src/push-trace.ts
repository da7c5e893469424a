export { bouncerLines } from './bouncer-lines.ts';
export { type Hop, type HopLine, hops, inOrder } from './hop-line.ts';
export { arrivalText, hopLines } from './hop-lines.ts';
export { type HopFacts, joinHops, type JoinedTrace } from './join-hops.ts';
export type { BouncerTrace, ProviderRequest, PushArrival, PushTrace } from '@bellhop/protocol';
export type { TracedArrival, TracedAttempt } from './join-hops.ts';
