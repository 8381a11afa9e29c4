import { RETRY_WINDOWS, type RetryWindow } from '#shared/domain/payments/retry-budget.rules.ts';

const limitOf = (window: RetryWindow['name']): number => RETRY_WINDOWS.find(({ name }) => name === window)!.limit;

/** How many declines of one card a day allows, and how many 30 days. */
export const [PER_DAY, PER_MONTH] = [limitOf('day'), limitOf('month')];
