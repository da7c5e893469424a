/** The first bytes of each type, in hexadecimal. */
const signatures = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}66747970617669(66|73)/],
] as const;

export type ImageType = (typeof signatures)[number][0];

/** The media type of an image that browsers show, by its first bytes; undefined for other files. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}
