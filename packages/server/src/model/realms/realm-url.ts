/** The URL of a realm, without a slash at its end. */
export function realmUrl(externalUrl: string, subdomain: string): string {
  const { host, protocol } = new URL(externalUrl);
  return `${protocol}//${subdomain === '' ? '' : `${subdomain}.`}${host}`;
}
