import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { Ask } from '#lib/simulators/stripe/ask.ts';
import { invalid } from '#lib/simulators/stripe/errors.ts';
import { textAt } from '#lib/simulators/stripe/form.ts';
import { isIntent, seconds } from '#lib/simulators/stripe/objects.ts';

/**
 * Stripe's search is not read-after-write: this many seconds of the service clock pass before it finds a new intent.
 */
const SEARCH_LAG = 60;

const CLAUSE = /^metadata\[(["'])([^"']+)\1\]:(["'])((?:[^"'\\]|\\.)*)\3$/;

/**
 * The one clause that is simulated: `metadata['payment_id']:'…'`. Answers the value, or undefined for another query.
 */
export function searchedPayment(query: string): string | undefined {
  const clause = CLAUSE.exec(query.trim());
  return clause?.[2] === 'payment_id' ? clause[4]?.replaceAll(/\\(.)/g, '$1') : undefined;
}

export function searchIntents({ input }: Ask, work: Work): object {
  const paymentId = searchedPayment(textAt(input, 'query') ?? '');
  if (paymentId === undefined)
    throw invalid("We were unable to parse your search query. This simulator knows metadata['payment_id']:'…' only.", {
      param: 'query',
    });
  const found = work.objects
    .ofPayment(paymentId)
    .filter(isIntent)
    .filter(({ account }) => account === work.account);
  const data = found.map(({ body }) => body).filter(({ created }) => created + SEARCH_LAG <= seconds(work.now));
  return {
    object: 'search_result',
    data: data.toReversed(),
    has_more: false,
    next_page: null,
    url: '/v1/payment_intents/search',
  };
}
