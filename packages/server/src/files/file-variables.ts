import { z } from 'zod';

import type { S3Settings } from './s3-files.ts';

/** The URL of a variable. One with a password is refused: the error of a call would repeat it. */
export function httpUrl(example: string) {
  const error = `must be a URL such as ${example}`;
  return z
    .url({ protocol: /^https?$/, error, abort: true })
    .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
      error: 'must have no user and no password',
    });
}

/** The environment variables that say where uploaded files are stored. */
export const fileVariables = {
  BELLHOP_FILES: z.enum(['database', 's3'], 'must be database or s3').default('database').meta({
    description:
      'Where new uploaded files are stored: database, or s3 for an S3-compatible store. "bellhop files move" moves those that are there',
  }),
  BELLHOP_S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
    )
    .optional()
    .meta({ description: 'Bucket of the S3-compatible store; unset: files are in the database' }),
  BELLHOP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region such as eu-central-1')
    .default('us-east-1')
    .meta({ description: 'Region of the bucket; a store without regions takes any' }),
  BELLHOP_S3_ENDPOINT: httpUrl('https://s3.example.com')
    .optional()
    .meta({ description: 'URL of an S3-compatible store; unset: that of Amazon in the region' }),
  BELLHOP_S3_PATH_STYLE: z.stringbool({ error: 'must be true or false' }).prefault('false').meta({
    description:
      'Write the bucket into the path of a URL, not into its host name: MinIO and others need it',
  }),
  BELLHOP_S3_ACCESS_KEY_ID: z.string().max(200, 'must be at most 200 characters').optional().meta({
    description:
      "ID of the access key; unset: the credentials are found as Amazon's programs find them (AWS_..., a profile, the role of the machine)",
  }),
  BELLHOP_S3_SECRET_ACCESS_KEY: z
    .string()
    .max(200, 'must be at most 200 characters')
    .optional()
    .meta({ description: 'Secret of the access key' }),
};

const Variables = z.object(fileVariables);
type Variables = z.output<typeof Variables>;

/** Where files are stored. */
export interface FileSettings {
  /** Where new files go. */
  readonly newIn: 'database' | 's3';
  /** The store in which files may be. */
  readonly s3: S3Settings | undefined;
}

/** What is wrong with the variables together, by the name of the variable to change. */
export function* filesFaults(env: Variables): Generator<readonly [name: string, fault: string]> {
  const { BELLHOP_S3_BUCKET: bucket, BELLHOP_S3_ENDPOINT: endpoint } = env;
  const { BELLHOP_S3_ACCESS_KEY_ID: id, BELLHOP_S3_SECRET_ACCESS_KEY: secret } = env;
  if (bucket === undefined && (env.BELLHOP_FILES === 's3' || (endpoint ?? id ?? secret)))
    yield ['BELLHOP_S3_BUCKET', 'must name the bucket of the S3-compatible store'];
  if (id !== undefined && secret === undefined)
    yield ['BELLHOP_S3_SECRET_ACCESS_KEY', 'must be set with BELLHOP_S3_ACCESS_KEY_ID'];
  if (id === undefined && secret !== undefined)
    yield ['BELLHOP_S3_ACCESS_KEY_ID', 'must be set with BELLHOP_S3_SECRET_ACCESS_KEY'];
}

export function fileSettings(env: Variables): FileSettings {
  const { BELLHOP_S3_BUCKET: bucket } = env;
  const { BELLHOP_S3_ACCESS_KEY_ID: id, BELLHOP_S3_SECRET_ACCESS_KEY: secret } = env;
  return {
    newIn: env.BELLHOP_FILES,
    s3:
      bucket === undefined
        ? undefined
        : {
            bucket,
            region: env.BELLHOP_S3_REGION,
            endpoint: env.BELLHOP_S3_ENDPOINT,
            isPathStyle: env.BELLHOP_S3_PATH_STYLE,
            credentials:
              id === undefined || secret === undefined
                ? undefined
                : { accessKeyId: id, secretAccessKey: secret },
          },
  };
}
