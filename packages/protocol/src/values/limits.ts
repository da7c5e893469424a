import { z } from 'zod';

import { isJsonWithin } from './json.ts';

/*
 * Limits of parameters that have no limit of their own in the specification. Texts are counted in
 * UTF-16 code units. A resource's own limits are beside its endpoints; a text that the server cuts
 * or trims before it checks its length has one of these.
 */

/** The longest word, such as an event type, an operator, an emoji or a colour. */
export const MAX_WORD_LENGTH = 100;
/** A name of anything, as it was typed. */
export const MAX_NAME_LENGTH = 1000;
/** The longest e-mail address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 320;
export const MAX_URL_LENGTH = 2048;
/** A description, a search, the data of a widget. */
export const MAX_TEXT_LENGTH = 10_000;
/** The content of a message or a stored value: the longest text that a request may have. */
export const MAX_CONTENT_LENGTH = 1_000_000;
/** The value of the header `Idempotency-Key`: printable ASCII. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** The file of an avatar, in MiB. */
export const MAX_AVATAR_MIB = 5;
/** The file of an icon or a logo of a realm, in MiB. */
export const MAX_REALM_IMAGE_MIB = 5;
/** A list of users, channels, event types or keys. */
export const MAX_LIST_LENGTH = 10_000;
/**
 * The users, and the groups, of a permission setting that is no named group. Every channel and group
 * has about ten such settings, which all clients read: for more people, a user group is the value.
 */
export const MAX_SETTING_MEMBERS = 500;

/** A map with at most `max` entries. */
export const limitedMap = <K extends z.ZodString, V extends z.ZodType>(
  key: K,
  value: V,
  max: number,
): z.ZodRecord<K, V> =>
  z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= max, {
      error: `Too big: expected map to have <=${max} entries`,
    })
    .meta({ maxProperties: max });

/** An object with further keys of any name: at most `max` characters as JSON text. */
export const openObject = <S extends z.ZodRawShape>(
  shape: S,
  max: number,
): z.ZodObject<S, z.core.$loose> =>
  z
    .looseObject(shape)
    .refine((value) => isJsonWithin(value, max), {
      error: `Too big: expected JSON text to have <=${max} characters`,
    })
    .meta({ 'x-max-json-length': max });
