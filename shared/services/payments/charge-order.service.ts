import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { PAYMENT_DETAILS, type PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { FIRST_HASH_VERSION, isHashOf, versionedHash } from '#shared/kernel/hash-versions.ts';
import { keyedHash, sha256Hex } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps, TokenConfig } from '#shared/ports/deps.ts';
import type { ChargeOrder, PspMetadata } from '#shared/ports/psp.port.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

/** The share of the time limit that a charge needs (6 of 20 s). With less time left no charge is sent. */
export const MIN_TIME_SHARE_FOR_CHARGE = 0.3;

/**
 * The order for a charge. It is built from stored data alone, so that a repeat sends the same. `known` is the
 * instrument of the payment, if the caller has it already; otherwise it is decrypted.
 */
export async function chargeOrder(
  payment: Payment,
  attempt: Attempt,
  deps: Pick<Deps, 'vault' | 'config'>,
  known?: Instrument,
): Promise<ChargeOrder> {
  const instrument = known ?? (await openInstrument(payment, deps));
  return {
    paymentId: payment.id,
    attemptId: attempt.id,
    amount: payment.amount,
    currency: payment.currency,
    method: payment.method,
    country: payment.country,
    description: payment.description,
    customerEmail: payment.customer_email,
    customerIp: payment.customer_ip,
    paymentMethod: forProvider(instrument, attempt),
    ...detailsFor(instrument, attempt),
    // Made when it is read, as few providers take one with each charge.
    get callbackUrl() {
      return callbackUrlOf(payment, attempt, deps.config);
    },
    offSession: payment.off_session === true && attempt.on_session !== true,
    metadata: pspMetadata(payment, attempt.connection_id),
    startedAt: attempt.started_at,
    ...(payment.capture && { capture: payment.capture }),
    ...(payment.save && saveOrder(payment)),
    otherReferences: payment.attempts.flatMap(({ id, psp_reference }) =>
      id === attempt.id || psp_reference === null ? [] : [psp_reference],
    ),
    returnUrl: returnUrlOf(payment.id, deps.config, payment.token_version ?? FIRST_HASH_VERSION),
  };
}

const CUSTOMER_DIGITS = 32;

/**
 * The PSP knows the customer by a hash that stays the same forever, as it finds what it has kept by it. So the hash has
 * none of our secrets, which are replaced.
 */
const saveOrder = ({ org_id, customer_id }: Payment): Pick<ChargeOrder, 'save'> =>
  customer_id === null
    ? {}
    : { save: { customer: `cus_${sha256Hex(`${org_id}|${customer_id}`).slice(0, CUSTOMER_DIGITS)}` } };

function forProvider(
  instrument: Instrument,
  { provider, connection_id }: Pick<Attempt, 'provider' | 'connection_id'>,
): ChargeOrder['paymentMethod'] {
  const { tokens: _, token: __, bound: ___, details: ____, ...rest } = instrument;
  const token = tokenFor(instrument, provider, connection_id);
  return token === undefined ? rest : { ...rest, token };
}

/** An attempt that the issuer wants the customer to take part in is not the merchant's alone. */
function detailsFor({ details }: Instrument, { on_session }: Attempt): Pick<ChargeOrder, 'details'> {
  if (!details) return {};
  const { mit: _, ...others } = details;
  return { details: on_session ? others : details };
}

/** The only metadata that a PSP gets. The merchant's own metadata is not sent to it. */
export function pspMetadata(payment: Payment, connectionId: string): PspMetadata {
  return {
    org_id: payment.org_id,
    connection_id: connectionId,
    payment_id: payment.id,
    ...(payment.customer_email !== null && { customer_email: payment.customer_email }),
  };
}

type ReturnUrlConfig = Pick<Deps['config'], 'apiUrl' | 'tokenSecret' | 'rotations'>;

type MakeToken = (tokenSecret: string) => string;

/** A token of this version of the secret, or of the current one. */
export const makeToken = (make: MakeToken, { tokenSecret, rotations }: TokenConfig, version?: number): string =>
  rotations?.tokenSecret ? versionedHash(tokenSecret, rotations.tokenSecret, make, version) : make(tokenSecret);

/** Whether it is our token, of any version of the secret that is still accepted. */
export const isToken = (token: string, make: MakeToken, { tokenSecret, rotations }: TokenConfig): boolean =>
  isHashOf(token, tokenSecret, rotations?.tokenSecret, make);

/**
 * Authenticates a return: it cannot be guessed from the id of the payment, so only the customer's browser returns with
 * it.
 */
export const returnToken =
  (paymentId: string): MakeToken =>
  (tokenSecret) =>
    keyedHash(tokenSecret, 'return', paymentId).subarray(0, 16).toString('base64url');

type CallbackIds = { readonly org_id: string; readonly connection_id: string; readonly payment_id: string };

/**
 * Authenticates a callback that carries no other proof of its sender: only the provider was given the callback URL with
 * this token.
 */
export const callbackToken =
  ({ org_id, connection_id, payment_id }: CallbackIds): MakeToken =>
  (tokenSecret) =>
    keyedHash(tokenSecret, 'callback', org_id, connection_id, payment_id).subarray(0, 16).toString('base64url');

/**
 * The version of the tokens in what is sent to a provider: a repeat must send the same, also after the secret of tokens
 * was replaced. Without the field it is the first one.
 */
export function tokenVersion({ rotations }: TokenConfig): Pick<Payment, 'token_version'> {
  const { version = FIRST_HASH_VERSION } = rotations?.tokenSecret ?? {};
  return version === FIRST_HASH_VERSION ? {} : { token_version: version };
}

/** Names the payment in its query, for providers whose callbacks do not return our metadata. */
function callbackUrlOf(
  { id: payment_id, org_id, token_version = FIRST_HASH_VERSION }: Payment,
  { connection_id, provider }: Attempt,
  config: ReturnUrlConfig & Pick<Deps['config'], 'callbackUrl'>,
): string {
  const { apiUrl, callbackUrl = apiUrl } = config;
  const ids = { org_id, connection_id, payment_id };
  const query = new URLSearchParams({ ...ids, t: makeToken(callbackToken(ids), config, token_version) });
  return `${callbackUrl}/webhooks/${provider}?${query}`;
}

/** Where the provider sends the customer back. Opening it asks the provider how the payment stands. */
export const returnUrlOf = (paymentId: string, config: ReturnUrlConfig, version?: number): string =>
  `${config.apiUrl}/pay/return/${paymentId}?t=${makeToken(returnToken(paymentId), config, version)}`;

/**
 * The decrypted content of `sealed_method`: the payment method of the client, or only its type if nothing in it is
 * secret, and what else its charge passes on.
 */
export type Instrument = Pick<
  PaymentMethodInput,
  'type' | 'token' | 'tokens' | 'bound' | 'phone' | 'network' | 'bank'
> & {
  readonly details?: PaymentDetails;
};

export const sealContextOf = ({ id, org_id }: Pick<Payment, 'id' | 'org_id'>): SealContext => ({
  orgId: org_id,
  purpose: 'payment_method',
  id,
});

/** The part of a client's payment method that is sealed, and sent to the PSP. */
export function instrumentOf({ return_url: _, id: __, ...instrument }: PaymentMethodInput): Instrument {
  return instrument;
}

/** What a new payment is charged with. */
export async function instrumentIn(input: StepInput, payment: Payment): Promise<Instrument> {
  const method = input.payment_method ? instrumentOf(input.payment_method) : { type: payment.method };
  const instrument = withDetails(method, detailsIn(input));
  if (instrument.details) await assertAgreed(instrument.details, payment);
  return instrument;
}

/** Loaded when it is needed: most payments have no details. */
export async function assertAgreed(details: PaymentDetails, payment: Pick<Payment, 'amount'>): Promise<void> {
  const { assertDetailsAgree } = await import('#shared/domain/payments/payment-details.rules.ts');
  assertDetailsAgree(details, payment);
}

/** Undefined if there are none. */
export function detailsIn(input: PaymentDetails): PaymentDetails | undefined {
  const given = PAYMENT_DETAILS.filter((name) => input[name] !== undefined);
  return given.length === 0 ? undefined : Object.assign({}, ...given.map((name) => ({ [name]: input[name] })));
}

/** Each field of `details` replaces the one before as a whole. */
export const withDetails = (instrument: Instrument, details: PaymentDetails | undefined): Instrument =>
  details ? { ...instrument, details: { ...instrument.details, ...details } } : instrument;

/** Seals all data that identifies the payer; null if there is none. */
async function sealInstrument(
  instrument: Instrument,
  payment: Pick<Payment, 'id' | 'org_id'>,
  { vault }: Pick<Deps, 'vault'>,
): Promise<string | null> {
  if (Object.keys(instrument).length === 1) return null;
  const context = sealContextOf(payment);
  return vault.seal(new Secret(JSON.stringify(instrument)), context);
}

export const sealMethod = async (
  method: PaymentMethodInput | undefined,
  payment: Pick<Payment, 'id' | 'org_id'>,
  deps: Pick<Deps, 'vault'>,
): Promise<string | null> => (method ? sealInstrument(instrumentOf(method), payment, deps) : null);

export type SealedFields = Pick<Payment, 'sealed_method' | 'details_only' | 'off_session'>;

/** What a payment stores of its instrument. */
export async function sealedFields(
  instrument: Instrument,
  payment: Pick<Payment, 'id' | 'org_id' | 'details_only'>,
  deps: Pick<Deps, 'vault'>,
): Promise<SealedFields> {
  const { type: _, details, ...method } = instrument;
  const details_only = details !== undefined && Object.keys(method).length === 0;
  return {
    sealed_method: await sealInstrument(instrument, payment, deps),
    ...((details_only || payment.details_only) && { details_only }),
    ...(details?.mit && { off_session: true }),
  };
}

export async function openInstrument(payment: Payment, { vault }: Pick<Deps, 'vault'>): Promise<Instrument> {
  if (payment.sealed_method === null) return { type: payment.method };
  const text = await vault.open(payment.sealed_method, sealContextOf(payment));
  return JSON.parse(text.reveal()) as Instrument;
}

export function tokenFor(instrument: Instrument, provider: string, connectionId?: string): Instrument['token'] {
  const own = instrument.bound?.find(({ connection_id }) => connection_id === connectionId);
  if (own) return own.token;
  return instrument.tokens ? instrument.tokens[provider as keyof typeof instrument.tokens] : instrument.token;
}

export type MayNameMethod = PaymentDetails & {
  readonly payment_method?: PaymentMethodInput;
  readonly customer_id?: string;
};
export type Saved = Pick<Payment, 'payment_method_id'>;

/** The input with the tokens of the saved method that it names. Loaded when it is needed: few payments name one. */
export async function withSavedMethod<T extends MayNameMethod>(
  input: T,
  orgId: string,
  connections: readonly { readonly id: string }[],
  deps: Pick<Deps, 'paymentMethods' | 'vault'>,
): Promise<T & Saved> {
  if (input.payment_method?.id === undefined) return input;
  const { readSavedMethod } = await import('#shared/services/payment-methods/use-saved-method.service.ts');
  return readSavedMethod(input, input.payment_method, { orgId, connections }, deps);
}

/** What a confirmation or retry may change. */
export type StepInput = PaymentDetails & { readonly payment_method?: PaymentMethodInput; readonly save?: boolean };
