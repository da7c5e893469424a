import { webcrypto } from 'node:crypto';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 86_400_000;
const lifetime = 397 * day;

/** A certificate authority, and the certificate and key of a server on this machine. All PEM. */
export interface TlsIdentity {
  ca: string;
  cert: string;
  key: string;
  /** Unix time in milliseconds. */
  expires_at: number;
}

/** Creates an authority and a certificate for `localhost` and 127.0.0.1. Discards the authority's key. */
export async function createTlsIdentity(): Promise<TlsIdentity> {
  const {
    AuthorityKeyIdentifierExtension,
    BasicConstraintsExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    PemConverter,
    SubjectAlternativeNameExtension,
    SubjectKeyIdentifierExtension,
    X509CertificateGenerator,
  } = await loadX509();
  const { subtle } = webcrypto;
  const expiresAt = Date.now() + lifetime;
  const validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(expiresAt) };
  const authority = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name: 'CN=Bellhop push simulator',
    signingAlgorithm: algorithm,
    keys: authority,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      // All authorities have one name: among several that are trusted, this tells them apart.
      await SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const leaf = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: serialNumber(),
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await AuthorityKeyIdentifierExtension.create(authority.publicKey),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  const key = PemConverter.encode(await subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { ca: ca.toString('pem'), cert: leaf.toString('pem'), key, expires_at: expiresAt };
}

/** Most programs read a certificate of an earlier start, and 230 modules take long to load. */
async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(8));
  return `40${Buffer.from(bytes).toString('hex')}`;
}
