import { ApiError } from '@bellhop/protocol';

/** The bytes of a file that is put into a store. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  /** Reads all bytes from the beginning: once for each attempt. */
  readonly read: () => AsyncIterable<Buffer>;
}

/** Where the bytes of files are: chunks in the database, or objects of an S3-compatible store. */
export interface FileStore<Place> {
  /** Resolves when the store has all bytes. */
  readonly put: (place: Place, content: FileContent) => Promise<void>;
  /** The bytes from `from` to before `to`, part by part. Throws MissingBytes. */
  readonly read: (place: Place, from: number, to: number) => AsyncIterable<Buffer>;
  /** Also accepts a place that has no bytes. */
  readonly remove: (place: Place) => Promise<void>;
}

/** A place has no bytes, or fewer than its file. */
export class MissingBytes extends Error {}

/** A store of files does not do what it is asked for. The message is for the operator and has no secrets. */
export class FileStoreFault extends Error {
  /** Whether it may go by itself: the store is down or slow, not configured wrongly. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing }: { readonly isPassing: boolean }) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** What a client is told of these errors. Returns other errors unchanged. */
export function fileApiError(error: unknown): unknown {
  if (error instanceof MissingBytes)
    return new ApiError('NOT_FOUND', {
      message:
        'The content of this file is missing on the server. Upload it again, or tell the operator.',
      cause: error,
    });
  if (error instanceof FileStoreFault)
    return new ApiError('SERVICE_UNAVAILABLE', {
      message:
        'The server cannot reach its store of files; nothing was changed. Try again in a few seconds.',
      cause: error,
    });
  return error;
}
