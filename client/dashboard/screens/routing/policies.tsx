import { FraudPolicyPanel } from '#client/dashboard/screens/routing/fraud-policy.tsx';
import { RetryPolicies } from '#client/dashboard/screens/routing/retry-policies.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { NoPermission } from '#client/dashboard/ui/states.tsx';

/** What is blocked before a provider is asked, and when a failed invoice is collected again. */
export function Policies() {
  const { can } = useSession();
  const [fraud, retry] = [can('fraud:read'), can('subscriptions:read')];
  if (!fraud && !retry) return <NoPermission />;
  return (
    <>
      {fraud && <FraudPolicyPanel />}
      {retry && <RetryPolicies />}
    </>
  );
}
