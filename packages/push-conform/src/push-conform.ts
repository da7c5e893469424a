export { conformBouncer } from './bouncer/conform-bouncer.ts';
export type { BouncerOptions } from './bouncer/bouncer-target.ts';
export { CannotStart, type Need } from './check.ts';
export { type Finding, sections, type Section, type Severity } from './finding.ts';
export { conformServer } from './server/conform-server.ts';
export type { ServerOptions } from './server/server-target.ts';
export type { RunOptions } from './finding.ts';
export type { Login } from './server/server-target.ts';
export type { SimulatorAddress } from './simulator-control.ts';
