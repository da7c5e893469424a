export { openTunnel, TunnelFailed } from './open-tunnel.ts';
export { proxiedFetch } from './proxied-fetch.ts';
export { Proxies, type Proxy } from './proxies.ts';
export type { TunnelOptions, TunnelTarget } from './open-tunnel.ts';
export type { ProxyVariables } from './proxies.ts';
