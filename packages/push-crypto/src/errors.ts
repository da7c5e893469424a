/** Invalid base64, a key of the wrong length or an unusable key, or a box without JSON. */
export class BadEncoding extends Error {
  override readonly name = 'BadEncoding';
}

/** A box that is damaged or was made for another key; both cases have this error. */
export class CannotOpenBox extends Error {
  override readonly name = 'CannotOpenBox';

  constructor() {
    super('The box cannot be opened: it is damaged, or it was made for another key');
  }
}
