export { budget } from '../limits/budget.ts';
export { rateLimit } from '../limits/rate-limit.ts';
