/** Parses the ID of a device. Throws a SyntaxError. */
export function parseDeviceId(text: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new SyntaxError('write the number of a device, as 42');
}
