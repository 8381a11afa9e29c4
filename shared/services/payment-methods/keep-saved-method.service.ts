import type { Customer, PaymentMethod, SavedToken } from '#shared/domain/payment-methods/payment-method.model.ts';
import {
  hasRoomForMethod,
  METHODS_CONFLICT,
  savedMethodId,
  withMethod,
  withToken,
} from '#shared/domain/payment-methods/payment-method.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PaymentMethodsPort } from '#shared/ports/payment-methods.port.ts';
import { openTokens, sealTokens } from '#shared/services/payment-methods/method-tokens.service.ts';

type Needs = Pick<Deps, 'paymentMethods' | 'vault' | 'clock' | 'log'>;

/**
 * Keeps the method that the PSP has handed out a token of, and returns its id. It is written before the payment: a run
 * after a crash makes the same one, or finds it where the PSP does not tell its token again.
 */
export async function keepSavedMethod(
  payment: Payment,
  charged: Payment,
  token: PaymentToken | undefined,
  deps: Needs,
): Promise<string | undefined> {
  try {
    return await keep(payment, charged, token, deps);
  } catch (error) {
    // Deleted meanwhile, or its tokens became too many. The payment has its money, and goes on without.
    if (!(error instanceof AppError) || error.code === 'write_conflict') throw error;
    logNotKept(payment, deps);
    return payment.payment_method_id;
  }
}

async function keep(
  payment: Payment,
  charged: Payment,
  token: PaymentToken | undefined,
  deps: Needs,
): Promise<string | undefined> {
  const methods = await deps.paymentMethods();
  const attempt = charged.attempts.find((each) => each.psp_reference === charged.psp_reference);
  if (token === undefined || !attempt) return keptBefore(payment, attempt, methods, deps);
  const { provider, connection_id } = attempt;
  const saved: SavedToken = { provider, connection_id, token };
  const own = await methods.get(payment.org_id, payment.payment_method_id ?? savedMethodId(payment.id));
  if (own) return (await addToken(own, saved, attempt, methods, deps)).id;
  // Deleted meanwhile: it stays deleted.
  if (payment.payment_method_id !== undefined) return payment.payment_method_id;
  return createMethod(payment, saved, attempt, methods, deps);
}

/** The payment's own, or what an earlier run has kept: perhaps before anything was known of its card. */
async function keptBefore(
  { id, org_id, payment_method_id }: Payment,
  attempt: Attempt | undefined,
  methods: PaymentMethodsPort,
  deps: Needs,
): Promise<string | undefined> {
  const kept = payment_method_id === undefined ? await methods.get(org_id, savedMethodId(id)) : undefined;
  if (kept && attempt) await fillIn(kept, attempt, methods, deps);
  return payment_method_id ?? kept?.id;
}

/** What the network says of the card, where nothing was known. */
function fillIn(
  method: PaymentMethod,
  attempt: Attempt,
  methods: PaymentMethodsPort,
  { clock }: Needs,
): Promise<PaymentMethod> {
  return methods.change(method, (newer) => {
    const { card, network_transaction_id } = factsOf(newer, attempt);
    const isNew = (newer.card ?? card) !== newer.card || network_transaction_id !== newer.network_transaction_id;
    if (!isNew) return undefined;
    return { ...newer, card: newer.card ?? card, network_transaction_id, updated_at: clock.now().toISOString() };
  });
}

/** The same card, saved by an earlier payment. */
async function sameMethod(
  { org_id, method_ids }: Customer,
  { method }: Payment,
  { provider, token }: SavedToken,
  methods: PaymentMethodsPort,
): Promise<PaymentMethod | undefined> {
  const mark = methods.markOf(org_id, provider, token);
  const all = await methods.many(org_id, method_ids);
  return all.find(({ type, token_marks }) => type === method && token_marks.includes(mark));
}

/** Its set of tokens grows, and what the network says of the card replaces what was known. */
async function addToken(
  method: PaymentMethod,
  saved: SavedToken,
  attempt: Attempt,
  methods: PaymentMethodsPort,
  deps: Needs,
): Promise<PaymentMethod> {
  const mark = methods.markOf(method.org_id, saved.provider, saved.token);
  if (method.token_marks.includes(mark)) return fillIn(method, attempt, methods, deps);
  return retryOnConflict(async () => {
    const current = await methods.get(method.org_id, method.id);
    // Deleted meanwhile: it stays deleted.
    if (!current) return method;
    const tokens = withToken(await openTokens(current, deps), saved);
    const stored = await sealTokens(tokens, current, methods, deps);
    const updated_at = deps.clock.now().toISOString();
    const changed = { ...current, ...stored, ...factsOf(current, attempt), updated_at };
    const written = await methods.change(current, (newer) => (newer.version === current.version ? changed : undefined));
    return written.version > current.version && written.token_marks.includes(mark) ? written : undefined;
  }, METHODS_CONFLICT);
}

const factsOf = (
  { card, network_transaction_id }: Pick<PaymentMethod, 'card' | 'network_transaction_id'>,
  attempt: Attempt,
): Pick<PaymentMethod, 'card' | 'network_transaction_id'> => ({
  card: attempt.card ? { ...card, ...attempt.card } : card,
  network_transaction_id: network_transaction_id ?? attempt.network_transaction_id ?? null,
});

/**
 * Or the method that the same card has already, looked up with each try: payments may save it at once. Undefined, with a
 * line in the log, if nothing more may be kept of this customer. The payment itself goes on.
 */
async function createMethod(
  payment: Payment,
  saved: SavedToken,
  attempt: Attempt,
  methods: PaymentMethodsPort,
  deps: Needs,
): Promise<string | undefined> {
  const { org_id, customer_id } = payment;
  if (customer_id === null) return undefined;
  const method = await newMethod(payment, customer_id, saved, attempt, methods, deps);
  const kept = await retryOnConflict(async () => {
    const customer = await methods.customer(org_id, customer_id);
    const known = customer.method_ids.includes(method.id)
      ? method
      : await sameMethod(customer, payment, saved, methods);
    if (known) return { id: known.id };
    if (!mayKeep(customer)) return { id: undefined };
    const after = withMethod(customer, method.id, false);
    return (await methods.commit({ before: customer, after }, [{ after: method }])) ? { id: method.id } : undefined;
  }, METHODS_CONFLICT);
  if (kept.id === undefined) logNotKept(payment, deps);
  return kept.id;
}

const logNotKept = ({ id, org_id }: Payment, { log }: Pick<Deps, 'log'>): void =>
  log.warn('payment_method_not_kept', { org_id, payment_id: id });

const mayKeep = (customer: Customer): boolean => customer.erasure_id === undefined && hasRoomForMethod(customer);

async function newMethod(
  { id: paymentId, org_id, mode, method: type }: Payment,
  customer_id: string,
  saved: SavedToken,
  attempt: Attempt,
  methods: PaymentMethodsPort,
  deps: Needs,
): Promise<PaymentMethod> {
  const id = savedMethodId(paymentId);
  const at = deps.clock.now().toISOString();
  const stored = await sealTokens([saved], { id, org_id }, methods, deps);
  const facts = factsOf({ card: null, network_transaction_id: null }, attempt);
  return { id, org_id, mode, customer_id, type, ...facts, ...stored, created_at: at, updated_at: at, version: 1 };
}
