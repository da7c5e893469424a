export { type Budget, budget, type BudgetOptions } from '../limits/budget.ts';
export { rateLimit, type RateLimitOptions } from '../limits/rate-limit.ts';
