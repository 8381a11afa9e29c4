import { decimalsBy, inMajor } from '#lib/simulators/frame/decimals.ts';
import type { Refusal } from '#lib/simulators/frame/refusal.ts';
import { impossible, invalid } from '#lib/simulators/stripe/errors.ts';

const decimals = decimalsBy('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf', 'bhd jod kwd omr tnd');
/**
 * Logically without decimals, and yet sent with two of them, which must be 00. Stripe's pages say so of UGX in one
 * place and not in the other: both are taken.
 */
const EVEN = 'isk'.split(' ');

const SUPPORTED: ReadonlySet<string> = new Set(
  `usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb
   eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd jpy kes kgs khr kmf krw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk
   mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs
   top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw bhd jod kwd omr tnd`.split(/\s+/),
);

/**
 * What Stripe documents as the least for these; elsewhere it is the worth of about half a dollar, which only Stripe can
 * tell.
 */
const LEAST: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
};

const MOST = 99_999_999;

/** An amount as people read it. */
export function display(amount: number, currency: string): string {
  const text = inMajor(amount, decimals(currency));
  return currency === 'usd' ? `$${text}` : `${text} ${currency.toUpperCase()}`;
}

/** Stripe's rules for an amount of a currency. `param` is what the amount is called here. */
export function checkMoney(amount: number, currency: string, param = 'amount'): void {
  if (!SUPPORTED.has(currency)) {
    throw invalid(
      `Invalid currency: ${currency}. Stripe currently supports these currencies: ${[...SUPPORTED].join(', ')}`,
      { param: 'currency' },
    );
  }
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', { param, code: 'parameter_invalid_integer' });
  if (amount > MOST)
    throw invalid(`Amount must be no more than ${display(MOST, currency)}`, { param, code: 'amount_too_large' });
  const step = EVEN.includes(currency) ? 100 : decimals(currency) === 3 ? 10 : 1;
  if (amount % step !== 0) {
    throw invalid(`Invalid amount: ${amount}. Amounts in ${currency} must be divisible by ${step}.`, {
      param,
      code: 'parameter_invalid_integer',
    });
  }
  const least = LEAST[currency];
  if (least !== undefined && amount < least) {
    throw invalid(`Amount must be at least ${display(least, currency)} ${currency}`, {
      param,
      code: 'amount_too_small',
    });
  }
}

/** More than is left of a charge can't be given back. */
export function overRefund(amount: number, left: number, currency: string): Refusal {
  const message = `Refund amount (${display(amount, currency)}) is greater than unrefunded amount on charge (${display(left, currency)})`;
  return impossible(message, { param: 'amount' });
}
