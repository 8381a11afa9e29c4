// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import type {
  Organization,
  OrganizationSettings,
} from './schemas.ts';

export const organizations = (call: Call) => ({
  /**
   * Get the organization.
   * `GET /v1/organization`: For members of the organization with the role `viewer` or higher, and for every key of
   * the organization except public ones.
   * With examples at `/docs/api/organizations#getOrganization`.
   * @throws {PayforkError} `missing_role`
   */
  get: (input?: NoInput, options?: RequestOptions): ApiPromise<Organization> =>
    call.get('/v1/organization', input, options),

  /**
   * Get what customers see of the organization.
   * `GET /v1/organization/settings`: For members of the organization with the role `viewer` or higher, and for
   * every key of the organization except public ones.
   * With examples at `/docs/api/organizations#getOrganizationSettings`.
   * @throws {PayforkError} `missing_role`
   */
  getSettings: (input?: NoInput, options?: RequestOptions): ApiPromise<OrganizationSettings> =>
    call.get('/v1/organization/settings', input, options),
});
