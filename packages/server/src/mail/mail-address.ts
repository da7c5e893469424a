import { badRequest } from '@bellhop/protocol';

const MAX_LOCAL_LENGTH = 64;
/** The longest address that SMTP carries (RFC 5321). */
const MAX_LENGTH = 254;
const ADDRESS =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether mail can be sent to an address: ASCII without quotes, spaces and control characters, its parts
 * separated by single dots. This is the one check of every address that a person gets.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH && ADDRESS.test(text) && text.indexOf('@') <= MAX_LOCAL_LENGTH;

/** What people are told about an address that `isMailAddress` refuses. */
export const INVALID_ADDRESS = 'Enter a valid email address.';

/** An address, trimmed. Throws BAD_REQUEST if mail cannot be sent to it. */
export function mailAddress(email: string): string {
  const address = email.trim();
  if (!isMailAddress(address)) throw badRequest(INVALID_ADDRESS);
  return address;
}

/**
 * The addresses in a text that separates them by commas or newlines, each once whatever its letter
 * case, and not checked. An address may come with a name: `"Doe, Jane" <jane@example.com>`.
 */
export function addressesIn(text: string): string[] {
  const items = text.match(/(?:"[^"\r\n]*"|[^,\r\n])+/g) ?? [];
  const addresses = items
    .map((item) => /<([^<>]*)>\s*$/.exec(item)?.[1] ?? item)
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return [...new Map(addresses.map((one) => [one.toLowerCase(), one])).values()];
}
