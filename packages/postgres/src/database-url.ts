const ESCAPING =
  'write / as %2F, ? as %3F, # as %23, @ as %40, : as %3A and % as %25 in its user and password';

/** `prefer` and `allow` are missing: they send the password without encryption if the server wants it so. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/**
 * Returns the URL in the form that `pg` is given. Throws an error that says what is wrong and shows no part
 * of the URL that could belong to a password.
 */
export function checkedDatabaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part);
  } catch {
    throw new Error(`the URL cannot be read: ${ESCAPING}`);
  }
  // With such a character in the password, the rest of it would be taken for host, name or option.
  const afterHost = url.pathname + url.search + url.hash;
  if (url.hash !== '' || afterHost.includes('@') || text.split('@').length > 2)
    throw new Error(`the URL has a character in the wrong place: ${ESCAPING}`);
  const mode = url.searchParams.get('sslmode');
  if (mode === null) return text;
  if (!SSL_MODES.includes(mode)) throw new Error(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  // `pg` takes these for the same, with a warning.
  return text.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** Advice for an untrusted certificate of the database; undefined for other errors. */
export const certificateAdvice = (code: string | undefined): string | undefined =>
  code !== undefined && /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY))/.test(code)
    ? 'the certificate of the database is of an authority that is not known here: add sslrootcert=/PATH/ca.pem to the URL'
    : undefined;
