import { parseObject, textAt, valueAt } from '#lib/simulators/kit/json.ts';
import type { Call, Input, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { ApiError, type WireRequest, type WireResponse } from '#lib/simulators/kit/wire.ts';
import { checkPayer, checkReference, unitDetailsIn } from '#lib/simulators/paypal/details.ts';
import { errorResponse, invalidRequest, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { readMoney } from '#lib/simulators/paypal/money.ts';
import { EXPIRED_TOKEN, hasExpired } from '#lib/simulators/paypal/oauth.ts';
import type { OrderNotes, PurchaseUnit } from '#lib/simulators/paypal/objects.ts';
import { rawCard, savedMethod, type TestMethod } from '#lib/simulators/paypal/test-methods.ts';
import { wantsVault } from '#lib/simulators/paypal/vault.ts';

export const parseBody = ({ body }: WireRequest): Input | undefined => (body === '' ? {} : parseObject(body));

function checkBody({ request, key }: Call): void {
  if (request.method === 'GET' || request.path.endsWith('/void')) return;
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new ApiError({
      ...errorResponse(400),
      status: 415,
      body: JSON.stringify({
        name: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'The server does not support the request payload’s media type.',
      }),
    });
  }
  if (!parseBody(request)) throw invalidRequest('/', 'MALFORMED_REQUEST_JSON', 'The request JSON is not well formed.');
  if ((key?.length ?? 0) > 108)
    throw invalidRequest(
      'PayPal-Request-Id',
      'INVALID_STRING_LENGTH',
      'The value of a field is either too short or too long.',
    );
}

/** PayPal's sandbox responds with the error that this header names. */
function mockResponse({ request }: Call): WireResponse | undefined {
  const header = request.headers['paypal-mock-response'];
  const [, code] = /"mock_application_codes"\s*:\s*"([A-Z_]+)"/.exec(typeof header === 'string' ? header : '') ?? [];
  if (code === undefined) return undefined;
  return code === 'INTERNAL_SERVER_ERROR'
    ? errorResponse(500)
    : errorResponse(422, [{ issue: code, description: 'Asked for by the mock header.' }]);
}

/** A route of the API: checks the token and the body, then runs. */
export function apiRoute(method: Route['method'], path: string, operation: string, run: Route['run']): Route {
  return {
    method,
    path,
    operation,
    run: (call: Call, work: UnitOfWork) => {
      // The dashboard makes no API request.
      if (work.apiRequest !== null && hasExpired(call.request, work.now)) return EXPIRED_TOKEN;
      checkBody(call);
      return mockResponse(call) ?? run(call, work);
    },
  };
}

/** PayPal's default response is minimal. `Prefer` requests the whole object. */
export const wantsRepresentation = ({ request }: Call): boolean => request.headers.prefer === 'return=representation';

/** How the payer pays: on the page, or with a payment method of the request. */
export type FundingSource = Pick<OrderNotes, 'source' | 'returnUrl' | 'cancelUrl' | 'vault'> & {
  readonly immediate: boolean;
  readonly method: TestMethod;
  readonly payerAbsent: boolean;
  readonly responseSource: Input;
};

const LABEL_LENGTH = 127;

function label(unit: unknown, name: 'custom_id' | 'invoice_id' | 'description'): Readonly<Record<string, string>> {
  const value = valueAt(unit, name);
  if (value === undefined) return {};
  if (typeof value === 'string' && value.length >= 1 && value.length <= LABEL_LENGTH) return { [name]: value };
  throw invalidRequest(
    `/purchase_units/@reference_id=='default'/${name}`,
    'INVALID_STRING_LENGTH',
    'The value of a field is either too short or too long.',
  );
}

export function readIntent({ intent }: Input): 'CAPTURE' | 'AUTHORIZE' {
  if (intent === undefined)
    throw invalidRequest('/intent', 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (intent !== 'CAPTURE' && intent !== 'AUTHORIZE')
    throw invalidRequest('/intent', 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  return intent;
}

export function readUnit({ purchase_units: units }: Input): PurchaseUnit {
  if (!Array.isArray(units))
    throw invalidRequest('/purchase_units', 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (units.length === 0)
    throw invalidRequest(
      '/purchase_units',
      'INVALID_ARRAY_MIN_ITEMS',
      'The number of items in an array parameter is too small.',
    );
  if (units.length > 1)
    throw invalidRequest('/purchase_units', 'INVALID_ARRAY_MAX_ITEMS', 'This simulator knows orders of one unit only.');
  const [unit] = units;
  const amount = readMoney(valueAt(unit, 'amount'), "/purchase_units/@reference_id=='default'/amount");
  const reference_id = textAt(unit, 'reference_id') ?? 'default';
  return {
    reference_id,
    amount,
    ...label(unit, 'custom_id'),
    ...label(unit, 'invoice_id'),
    ...label(unit, 'description'),
    ...unitDetailsIn(unit, amount),
  };
}

const URL_FORMAT = /^https?:\/\/\S+$/;

function urlIn(context: unknown, name: string, field: string): string | null {
  const url = textAt(context, name);
  if (url === null) return null;
  if (!URL_FORMAT.test(url))
    throw invalidRequest(
      `${field}/experience_context/${name}`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  return url;
}

/** The brand of every simulated card. */
export const CARD_BRAND = 'MASTERCARD';

export function readSource(input: Input, { key }: Call): FundingSource {
  const sources = Object.entries(Object(input.payment_source ?? {}));
  if (sources.length > 1)
    throw invalidRequest('/payment_source', 'INVALID_PARAMETER_VALUE', 'Only one payment source can be given.');
  const [name, method] = sources[0] ?? ['paypal', {}];
  if (name !== 'paypal' && name !== 'card')
    throw invalidRequest(
      `/payment_source/${name}`,
      'NOT_SUPPORTED',
      'This simulator knows PayPal accounts and cards only.',
    );
  const field = `/payment_source/${name}`;
  const context = valueAt(method, 'experience_context');
  const urls = { returnUrl: urlIn(context, 'return_url', field), cancelUrl: urlIn(context, 'cancel_url', field) };
  const vaultId = valueAt(method, 'vault_id');
  if (name === 'paypal') checkPayer(method, valueAt(input.purchase_units, 0));
  if (vaultId === undefined && name === 'paypal')
    return {
      ...urls,
      vault: wantsVault(method),
      source: 'page',
      immediate: false,
      method: { behaviour: null },
      payerAbsent: false,
      responseSource: { paypal: {} },
    };
  if (key === null)
    throw invalidRequest(
      'PayPal-Request-Id',
      'PAYPAL_REQUEST_ID_REQUIRED',
      'A PayPal-Request-Id is required if you are trying to process payment for an Order.',
    );
  const payerAbsent = isPayerAbsent(method, name, field);
  const testMethod = vaultId === undefined ? rawCard(method) : savedMethod(vaultId, field);
  const responseSource =
    name === 'card'
      ? {
          card: {
            last_digits: '4444',
            brand: CARD_BRAND,
            type: 'CREDIT',
            expiry: '2035-12',
            bin_details: { bin_country_code: 'US' },
          },
        }
      : { paypal: { email_address: 'kim@example.com' } };
  return {
    ...urls,
    source: name === 'card' ? 'card' : 'wallet',
    immediate: true,
    method: testMethod,
    payerAbsent,
    responseSource,
  };
}

const INITIATORS = ['CUSTOMER', 'MERCHANT'];
const TYPES = ['ONE_TIME', 'RECURRING', 'UNSCHEDULED'];
const USAGES = ['FIRST', 'SUBSEQUENT', 'DERIVED'];
const VERIFICATIONS = ['SCA_ALWAYS', 'SCA_WHEN_REQUIRED', '3D_SECURE', 'AVS_CVV'];

function enumValue(
  method: unknown,
  name: string,
  values: readonly string[],
  field: string,
  required = false,
): string | undefined {
  const value = valueAt(method, name);
  if (value === undefined && required)
    throw invalidRequest(`${field}/${name}`, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !values.includes(value))
    throw invalidRequest(`${field}/${name}`, 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  return value;
}

/** Whether the merchant initiates the payment off-session. Rejects incompatible parameters. */
function isPayerAbsent(source: unknown, name: 'card' | 'paypal', at: string): boolean {
  enumValue(valueAt(source, 'attributes', 'verification'), 'method', VERIFICATIONS, `${at}/attributes/verification`);
  const stored = valueAt(source, 'stored_credential');
  if (stored === undefined) return false;
  const field = `${at}/stored_credential`;
  const isMerchant = enumValue(stored, 'payment_initiator', INITIATORS, field, true) === 'MERCHANT';
  const type = enumValue(stored, 'payment_type', TYPES, field, name === 'card');
  const usage = enumValue(stored, 'usage', USAGES, field);
  const refersBack = ['previous_transaction_reference', 'previous_network_transaction_reference'].some(
    (key) => valueAt(stored, key) !== undefined,
  );
  if (isMerchant ? type === 'ONE_TIME' || usage === 'FIRST' : refersBack) {
    throw unprocessable(
      'INCOMPATIBLE_PARAMETER_VALUE',
      'The value of the field is incompatible/redundant with other fields in the order.',
      field,
    );
  }
  checkReference(stored, field);
  if (isMerchant && valueAt(source, 'security_code') !== undefined) {
    throw unprocessable(
      'MERCHANT_INITIATED_WITH_SECURITY_CODE',
      'A security code is not supported where the merchant is the initiator.',
      `${at}/security_code`,
    );
  }
  return isMerchant;
}
