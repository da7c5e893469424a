import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '@bellhop/protocol';
import { z } from 'zod';

const MAX_NAME = 200;

/** Parameters of several tools. */
export const channel = z
  .union([z.int().positive(), z.string().min(1).max(MAX_NAME)])
  .describe('A channel by name or ID');
export const topic = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TOPIC_LENGTH)
  .describe(`A topic of the channel, at most ${MAX_TOPIC_LENGTH} characters`);
export const people = z
  .array(z.int().positive())
  .min(1)
  .max(20)
  .describe('User IDs, which list_people gives, without your own');
export const message_id = z.int().positive().describe('The ID of a message');
/** A server would cut a longer text. */
export const content = z
  .string()
  .trim()
  .min(1)
  .max(MAX_MESSAGE_LENGTH)
  .describe(
    `Markdown, at most ${MAX_MESSAGE_LENGTH} characters. @**Name|ID** mentions and notifies a person, @_**Name|ID** mentions silently`,
  );

/** Parameters of a list. */
export const listParams = {
  query: z.string().min(1).max(MAX_NAME).optional().describe('Only names that contain this text'),
  offset: z.int().min(0).default(0).describe('Leaves out so many, to read on'),
  limit: z.int().min(1).max(100).default(50).describe('How many at most'),
};

/** The rest of the result of a list. */
export const listed = {
  total: z.int(),
  next_offset: z.int().nullable().describe('The offset of the rest; null if there is no more'),
};
