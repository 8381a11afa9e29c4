// Written by `npm run client` from the route table. Do not edit.
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
  OrganizationAudit,
  OrganizationSettings,
  RenameOrganization,
} from './schemas.ts';

export type ListOrganizationAuditQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListMembersQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const organizations = (call: Call) => ({
  /**
   * Get the organization.
   * `GET /v1/organization`: For members of the organization with the role `viewer` or higher, and for every key of
   * the organization except public ones. Counts among the 500 reads a minute.
   */
  get: (input?: NoInput, options?: RequestOptions): Promise<Organization> =>
    call.get('/v1/organization', input, options),

  /**
   * Rename the organization.
   * `PATCH /v1/organization`: For members of the organization with the role `admin` or higher. Counts among the 100
   * other writes a minute.
   */
  rename: (input: RenameOrganization, options?: RequestOptions): Promise<Organization> =>
    call.change('PATCH', '/v1/organization', input, options),

  /**
   * Get what customers see of the organization.
   * `GET /v1/organization/settings`: For members of the organization with the role `viewer` or higher, and for
   * every key of the organization except public ones. Counts among the 500 reads a minute.
   */
  getSettings: (input?: NoInput, options?: RequestOptions): Promise<OrganizationSettings> =>
    call.get('/v1/organization/settings', input, options),

  /**
   * Change what customers see of the organization.
   * `PATCH /v1/organization/settings`: For members of the organization with the role `admin` or higher. Counts
   * among the 100 other writes a minute.
   */
  changeSettings: (input: ChangeOrganizationSettings, options?: RequestOptions): Promise<OrganizationSettings> =>
    call.change('PATCH', '/v1/organization/settings', input, options),

  /**
   * List changes of the organization's keys, members and names.
   * `GET /v1/organization/audit`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  listAudit: (
    input?: ListOrganizationAuditQuery,
    options?: RequestOptions,
  ): List<OrganizationAudit, readonly OrganizationAudit[]> =>
    call.list('/v1/organization/audit', null, input, options),

  /**
   * List members.
   * `GET /v1/members`: For members of the organization with the role `viewer` or higher. Counts among the 500 reads
   * a minute.
   */
  listMembers: (input?: ListMembersQuery, options?: RequestOptions): List<Member, MemberList> =>
    call.list('/v1/members', 'members', input, options),

  /**
   * Invite a member, or change a member's role.
   * `POST /v1/members`: For members of the organization with the role `admin` or higher. Counts among the 100 other
   * writes a minute.
   */
  addMember: (input: AddMember, options?: RequestOptions): Promise<Member> =>
    call.change('POST', '/v1/members', input, options),

  /**
   * Remove a member, or leave; removing others requires the role admin, removing an owner the role owner.
   * `DELETE /v1/members/{id}`: For members of the organization with the role `viewer` or higher. Counts among the
   * 100 other writes a minute.
   */
  removeMember: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/members/${id}`, input, options),
});
