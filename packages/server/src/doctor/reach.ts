import { isIP } from 'node:net';

/** How long the doctor waits for an answer, in milliseconds. */
export const WITHIN_MS = 5000;

/** Whether a host, as it stands in a URL or in a variable, is this machine. */
export const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    bare === 'localhost' ||
    bare.endsWith('.localhost') ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
};

/** What went wrong with a connection to `host`, and what to do. */
export function troubleOf(
  error: unknown,
  host: string,
): { readonly what: string; readonly fix: string } {
  const { name, message, code } = innermost(error);
  const what = name === 'TimeoutError' ? `no answer within ${WITHIN_MS / 1000} s` : message || code;
  return { what, fix: fixFor(`${code} ${message}`, host) };
}

interface Trouble {
  readonly name: string;
  readonly message: string;
  readonly code: string;
}

/** The error that fetch, a proxy or a connection to several addresses wraps. */
function innermost(error: unknown): Trouble {
  const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
  const inner = cause ?? errors?.[0];
  if (inner !== undefined) return innermost(inner);
  const { name = '', message = '', code = '' } = error as Partial<Record<keyof Trouble, unknown>>;
  return { name: String(name), message: String(message), code: String(code) };
}

/** `trouble` has the code and the message: the client of SMTP has codes of its own. */
function fixFor(trouble: string, host: string): string {
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(trouble))
    return `this machine cannot resolve the name in ${host}: check its DNS server.`;
  if (trouble.includes('ECONNREFUSED'))
    return `nothing listens at ${host}: compare host and port with what runs there.`;
  if (/CERT_HAS_EXPIRED|certificate has expired/.test(trouble))
    return `renew the certificate of ${host}.`;
  if (/ALTNAME|altnames/.test(trouble))
    return `the certificate that ${host} shows is for another name: check the address, and the certificate.`;
  if (
    /SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|self-signed|unable to (get|verify)/.test(trouble)
  )
    return `the certificate that ${host} shows is of an authority that is not known here: name a file with that of the authority in NODE_EXTRA_CA_CERTS.`;
  return `let the firewall pass TCP to ${host}.`;
}
