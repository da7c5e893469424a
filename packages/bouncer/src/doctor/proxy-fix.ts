import type { TunnelFailed } from '@bellhop/http/proxy';

/** Advice about a proxy that opens no tunnel to `host`. */
export function proxyFix({ kind }: TunnelFailed, host: string): string {
  const except = `or except ${host} in NO_PROXY`;
  switch (kind) {
    case 'login':
      return 'Put a user and password that the proxy accepts into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT.';
    case 'refused':
      return `Let the proxy pass CONNECT to ${host}, ${except}.`;
    case 'unreachable':
    case 'timeout':
      return `Compare host and port of HTTPS_PROXY with those of the proxy, ${except}.`;
  }
}
