/** Apple's two services; a provider without such a division has `production` only. */
export type Environment = 'production' | 'sandbox';
