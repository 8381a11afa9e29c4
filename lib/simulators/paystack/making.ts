import { following } from '#lib/simulators/frame/following.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, integerIn, invalid, need, refused, textIn } from '#lib/simulators/paystack/answers.ts';
import { metadataOf } from '#lib/simulators/paystack/caller.ts';
import {
  type Notes,
  newCode,
  newNumber,
  type StoredTransaction,
  type Transaction,
} from '#lib/simulators/paystack/objects.ts';

const CURRENCIES = ['NGN', 'GHS', 'ZAR', 'KES', 'USD', 'XOF', 'EGP', 'RWF'];

const DUPLICATE = {
  message: 'Duplicate Transaction Reference',
  code: 'duplicate_reference',
  nextStep: 'Try and create the Transaction or Charge with a new reference',
};

function referenceIn(input: Ask['input'], work: Work): string {
  const reference = textIn(input, 'reference') ?? newCode();
  if (!/^[A-Za-z0-9.=-]{1,100}$/.test(reference))
    throw invalid('Transaction reference should only include -,., =and alphanumeric characters', 'invalid_reference');
  if (work.objects.get(reference)) throw refused(400, DUPLICATE);
  return reference;
}

function emailIn(input: Ask['input']): string {
  const email = need(input, 'email');
  if (!/^\S+@\S+\.\S+$/.test(email)) throw invalid('Invalid Email Address Passed', 'invalid_email_address');
  return email;
}

/** Checks what every charge has and stores it, not yet tried; its number and its page's code are names of it, too. */
export function make(
  { input, call, domain }: Ask,
  work: Work,
  kind: Pick<Notes, 'card'> & Partial<Notes> & { readonly channel: string },
): StoredTransaction {
  const { channel, ...more } = kind;
  const email = emailIn(input);
  const amount = integerIn(input, 'amount');
  if (amount === undefined) throw invalid('"amount" is required', 'invalid_amount');
  const currency = textIn(input, 'currency') ?? 'NGN';
  if (!CURRENCIES.includes(currency))
    throw refused(403, { message: 'Currency not supported by merchant', code: 'unsupported_currency' });
  const reference = referenceIn(input, work);
  const accessCode = newCode();
  const body: Transaction = {
    id: newNumber(),
    domain,
    status: 'abandoned',
    reference,
    amount,
    requested_amount: amount,
    message: null,
    gateway_response: 'The transaction was not completed',
    paid_at: null,
    created_at: work.now.toISOString(),
    channel,
    currency,
    metadata: metadataOf(input.metadata) ?? '',
    fees: null,
    email,
    attempts: 0,
  };
  const notes: Notes = {
    steps: [],
    shown: {},
    accessCode,
    callbackUrl: null,
    onPage: false,
    refunded: 0,
    ...following(call.script),
    ...more,
  };
  const base = { account: work.account, due: null, parent: null };
  for (const id of [String(body.id), accessCode])
    work.objects.put({ ...base, id, kind: 'alias', paymentId: null, parent: reference, body: null, notes: null });
  return work.objects.put({ ...base, id: reference, kind: 'transaction', paymentId: call.paymentId, body, notes });
}
