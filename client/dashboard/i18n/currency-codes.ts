import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

/** All that the service takes, for choices. It is long, so it is a file of its own beside what every screen needs. */
export const CURRENCY_CODES: readonly string[] = Object.keys(CURRENCIES);
