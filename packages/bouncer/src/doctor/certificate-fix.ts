/** Advice about a certificate that is refused with this error code; undefined for other codes. */
export function certificateFix(code: string, host: string): string | undefined {
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY))/.test(code))
    return `The certificate that ${host} shows is of an authority that is not known here. If a proxy opens the traffic, let it pass ${host} unopened, or write the certificate of its authority into a file that BELLHOP_BOUNCER_PROVIDER_CA_FILE names: it is trusted beside the public ones.`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `The certificate that ${host} shows is of another time: compare the clock of this machine with it.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `Another host answers for ${host}: check its address (DNS, a proxy, /etc/hosts).`;
  return undefined;
}
