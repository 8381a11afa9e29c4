import { RETRY_WINDOWS, type RetryWindow } from '#shared/domain/payments/retry-budget.rules.ts';

const limitOf = (window: RetryWindow['name']): number => RETRY_WINDOWS.find(({ name }) => name === window)!.limit;

/** The number of declines of one card in a day, and in 30 days. */
export const [PER_DAY, PER_MONTH] = [limitOf('day'), limitOf('month')];
