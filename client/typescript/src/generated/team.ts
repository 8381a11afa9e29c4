// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  AddMember,
  ChangeOrganizationSettings,
  Deleted,
  Member,
  MemberList,
  Organization,
  OrganizationSettings,
  RenameOrganization,
} from './schemas.ts';

export type ListMembersQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export const team = (call: Call) => ({
  /**
   * Rename the organization.
   * `PATCH /v1/organization`: For members of the organization with the role `admin` or higher.
   * With examples at `/docs/api/team#updateOrganization`.
   * @throws {PayforkError} `missing_role`, `write_conflict`
   */
  updateOrganization: (input: RenameOrganization, options?: RequestOptions): ApiPromise<Organization> =>
    call.change('PATCH', '/v1/organization', input, options),

  /**
   * Change what customers see of the organization.
   * `PATCH /v1/organization/settings`: For members of the organization with the role `admin` or higher.
   * With examples at `/docs/api/team#updateOrganizationSettings`.
   * @throws {PayforkError} `missing_role`, `write_conflict`
   */
  updateOrganizationSettings: (
    input: ChangeOrganizationSettings,
    options?: RequestOptions,
  ): ApiPromise<OrganizationSettings> =>
    call.change('PATCH', '/v1/organization/settings', input, options),

  /**
   * List members.
   * `GET /v1/members`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/team#listMembers`.
   * @throws {PayforkError} `missing_role`
   */
  listMembers: (input?: ListMembersQuery, options?: RequestOptions): List<Member, MemberList> =>
    call.list('/v1/members', 'members', input, options),

  /**
   * Invite a member, or change a member's role.
   * `POST /v1/members`: For members of the organization with the role `admin` or higher.
   * With examples at `/docs/api/team#addMember`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `last_owner`, `member_limit_reached`,
   * `write_conflict`
   */
  addMember: (input: AddMember, options?: RequestOptions): ApiPromise<Member> =>
    call.change('POST', '/v1/members', input, options),

  /**
   * Remove a member, or leave; removing others requires the role admin, removing an owner the role owner.
   * `DELETE /v1/members/{id}`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/team#removeMember`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `not_found`, `last_owner`, `write_conflict`
   */
  removeMember: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/members/${id}`, input, options),
});
