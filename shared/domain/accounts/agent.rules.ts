import type { AgentLimits, AgentRequest, ApprovalStatus, MovedMoney } from '#shared/domain/accounts/agent.model.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** An approval, and the memory of a request that was let through, live no longer than the idempotency key. */
const AGENT_REQUEST_LIFETIME = DAY;

/** More than a person would look through: an agent that has so many waiting is stopped. */
export const MAX_WAITING_APPROVALS = 100;

export const expiryFrom = (at: Date): string => plus(at, AGENT_REQUEST_LIFETIME).toISOString();

/** It decides about nothing any more: the same request is a new one. */
export const isOver = ({ expires_at }: AgentRequest, at: Date): boolean => expires_at <= at.toISOString();

/** What was asked before this time waits for nobody any more. */
export const firstWaiting = (at: Date): Date => plus(at, -AGENT_REQUEST_LIFETIME);

export function approvalStatus(request: AgentRequest, at: Date): ApprovalStatus {
  const { status, used_at } = request;
  if (used_at !== null) return 'used';
  if (status === 'rejected') return 'rejected';
  return isOver(request, at) ? 'expired' : (status as 'pending' | 'approved');
}

/** Hours are counted from 1970. */
export const hourOf = (at: Date): number => Math.floor(at.getTime() / HOUR);

/** An amount counts in its own hour and in this many after it, so never for less than a day. */
export const HOURS_COUNTED = DAY / HOUR;

/** The limits with those that change; undefined if none does. Null ends one, so that a person is asked. */
export function changedLimits(
  limits: AgentLimits,
  changes: Readonly<Record<string, number | null>>,
): AgentLimits | undefined {
  const changed = Object.entries(changes).some(([currency, limit]) => (limits[currency] ?? null) !== limit);
  if (!changed) return undefined;
  return Object.fromEntries(
    Object.entries({ ...limits, ...changes }).filter((line): line is [string, number] => line[1] !== null),
  );
}

/** What the key may move in this currency in a day; undefined if a person is asked in any case. */
export const dailyLimit = (limits: AgentLimits, moved: MovedMoney | null): number | undefined =>
  moved === null || moved.asks ? undefined : limits[moved.currency];

/** A person has decided, or nobody may any more. */
export function assertOpen(request: AgentRequest, at: Date): void {
  const status = approvalStatus(request, at);
  if (status === 'pending') return;
  const why = status === 'expired' ? 'has expired' : `is ${status} already`;
  throw new AppError('approval_not_open', `This request ${why}. Nothing was changed.`, { details: { status } });
}

/** Whoever may not do it may not let an agent do it. */
export function assertMayDecide({ scope }: AgentRequest, scopes: readonly string[]): void {
  if (scopes.includes(scope)) return;
  throw new AppError('missing_scope', `Only who has the scope ${scope} can decide about this request.`);
}
