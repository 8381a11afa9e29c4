import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { RateState } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Route } from '#shared/http/route.ts';
import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';
import type { CredentialKind, Person } from '#shared/ports/caller.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';

export type Credential = {
  readonly id: string;
  readonly orgId: string;
  readonly kind: CredentialKind;
  readonly scopes: readonly string[];
  readonly person?: Person;
};

/** What the chain learns about a request; each field is written by one middleware. */
export type RequestState = {
  readonly requestId: string;
  readonly at: Date;
  readonly route: Route;
  credential?: Credential;
  rate?: RateState;
  /** Set when a rate window is full: refused only after organization and scope are checked. */
  full?: { readonly retryAfter: number };
  input?: Record<string, unknown>;
  ticket?: ClaimTicket;
  operation?: Operation;
  /** The claim that this request holds, and whether the handler has begun. */
  claimId?: string;
  began?: boolean;
  replayed?: boolean;
  setup?: Promise<Setup>;
  organization?: Promise<Organization | undefined>;
};

export type ApiEvent = APIGatewayProxyEventV2;
export type ApiResult = APIGatewayProxyStructuredResultV2;

const states = new WeakMap<ApiEvent, RequestState>();

export const begin = (event: ApiEvent, state: RequestState): RequestState => {
  states.set(event, state);
  return state;
};

export function stateOf(event: ApiEvent): RequestState {
  const state = states.get(event);
  if (!state) throw new Error('The request has no state: the chain did not begin.');
  return state;
}

/** API Gateway encodes what isn't JSON or text; signatures and hashes cover the bytes as they were sent. */
export const bodyOf = (event: ApiEvent): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

export const header = (event: ApiEvent, name: string): string | undefined => event.headers[name];

export const sourceIp = (event: ApiEvent): string => event.requestContext.http.sourceIp;
