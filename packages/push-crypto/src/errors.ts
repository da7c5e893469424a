/** Text that is not what it should be: base64 of another alphabet, a key of the wrong length, and so on. */
export class BadEncoding extends Error {
  override readonly name = 'BadEncoding';
}

/** A sealed box that was cut, changed, or made for another key. It cannot be told which. */
export class CannotOpenBox extends Error {
  override readonly name = 'CannotOpenBox';

  constructor() {
    super('The sealed box cannot be opened: it is damaged, or it was made for another key');
  }
}
