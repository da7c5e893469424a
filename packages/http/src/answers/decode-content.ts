import type { IncomingHttpHeaders } from 'node:http';
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';

/** Why a body is not what its headers say. The message goes on after "the answer". */
export class UndecodableContent extends Error {
  override readonly name = 'UndecodableContent';
  /** Whether the decoded body would be over the limit. */
  readonly isTooLarge: boolean;
  constructor(message: string, { isTooLarge = false, cause }: DecodingDetails = {}) {
    super(message, { cause });
    this.isTooLarge = isTooLarge;
  }
}
export interface DecodingDetails {
  readonly isTooLarge?: boolean;
  readonly cause?: unknown;
}

type Decoder = (body: Buffer, options: ZlibOptions) => Buffer;

/** "deflate" is the format of zlib; some servers send it without its header. */
const inflate: Decoder = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
/** The limit of RFC 9659; without it a frame may ask for 128 MiB. */
const unzstd: Decoder = (body, { maxOutputLength }) =>
  zstdDecompressSync(body, {
    ...(maxOutputLength === undefined ? {} : { maxOutputLength }),
    params: { [constants.ZSTD_d_windowLogMax]: 23 },
  });

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
  ['zstd', unzstd],
]);
/** More of them cost time and are no answer of a program that means well. */
const MAX_CODINGS = 4;

/**
 * The body of a response without its content and transfer codings (gzip, deflate, br, zstd), whose length
 * in bytes is at most `limit` after each of them. Throws UndecodableContent.
 */
export function decodeContent(body: Buffer, headers: IncomingHttpHeaders, limit: number): Buffer {
  if (body.length === 0) return body;
  const codings = codingsOf(headers);
  if (codings.length === 0) return body;
  if (codings.length > MAX_CODINGS)
    throw new UndecodableContent(`has ${codings.length} content-encodings: send it as it is`);
  return codings.reduceRight((coded, coding) => decoded(coded, coding, limit), body);
}

/** The codings of a response in the order in which the sender applied them. */
export const codingsOf = (headers: IncomingHttpHeaders): string[] =>
  [headers['content-encoding'], headers['transfer-encoding']]
    .flat()
    .flatMap((names = '') => names.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !['', 'identity', 'chunked'].includes(name));

function decoded(body: Buffer, coding: string, maxOutputLength: number): Buffer {
  const decoder = decoders.get(coding);
  if (!decoder)
    throw new UndecodableContent(
      `has the content-encoding ${printable(coding)}, which the server does not read: send it as it is`,
    );
  try {
    return decoder(body, { maxOutputLength });
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new UndecodableContent(`is longer than ${maxOutputLength} bytes`, {
        isTooLarge: true,
        cause,
      });
    throw new UndecodableContent(
      `has the content-encoding ${coding}, but its body is not ${coding}`,
      {
        cause,
      },
    );
  }
}

const printable = (coding: string) => coding.replaceAll(/[^\w.*-]/g, '?').slice(0, 30);
