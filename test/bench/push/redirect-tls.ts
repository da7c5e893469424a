import tls from 'node:tls';

/** Sends every TLS connection of this process to port 443 to another address instead. */
export function redirectTls(url: string, ca: string): void {
  const { hostname, port } = new URL(url);
  const { connect } = tls;
  tls.connect = ((options: tls.ConnectionOptions, ...rest: never[]) =>
    Number(options.port) === 443
      ? connect({ ...options, host: hostname, port: Number(port), servername: 'localhost', ca })
      : connect(options, ...rest)) as typeof tls.connect;
}
